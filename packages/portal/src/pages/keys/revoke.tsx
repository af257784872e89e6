import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useSubmission } from '../../loading.ts';
import { Confirm } from '../../ui/controls.tsx';

export const RevokeKey = ({
  of: { keyId, label },
  onClose,
  onRevoked,
}: {
  readonly of: { readonly keyId: string; readonly label: string };
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}): JSX.Element => {
  const { api, say } = usePortal();
  const revoking = useSubmission(async () => {
    await api.DELETE('/api/v1/keys/{keyId}', { params: { path: { keyId } } });
    say(`“${label}” is revoked.`);
    onRevoked();
    onClose();
  });
  return (
    <Confirm
      title="Revoke this key?"
      words={
        <>
          Programs that use <strong>{label}</strong> are refused from their next request on. This
          cannot be undone.
        </>
      }
      submitLabel="Revoke"
      of={revoking}
      onClose={onClose}
    />
  );
};
