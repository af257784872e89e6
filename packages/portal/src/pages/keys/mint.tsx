import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useSubmission } from '../../loading.ts';
import { Confirm, Dialog, Form } from '../../ui/controls.tsx';
import { errorAt } from '../../ui/field-errors.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { OnceShown } from '../../ui/once-shown.tsx';

const scopes = [
  ['sandbox', 'sandbox: creates and drives sandboxes'],
  ['publish', 'publish: publishes modules'],
  ['full', 'full: everything a key can do, including the list of keys'],
] as const;
type Scope = (typeof scopes)[number][0];

const DAYS_DEFAULT = 90;
const DAYS_MAX = 365;

/** Asks for the details of a key, and shows its token once. */
export const MintKey = ({
  onClose,
  onMinted,
}: {
  readonly onClose: () => void;
  readonly onMinted: () => void;
}): JSX.Element => {
  const { api, say } = usePortal();
  const [label, setLabel] = useState('');
  const [scope, setScope] = useState<Scope>('sandbox');
  const [days, setDays] = useState(String(DAYS_DEFAULT));
  const [minted, setMinted] = useState<{ readonly keyId: string; readonly token?: string }>();
  const minting = useSubmission(async (keyOf) => {
    const body = { label, scope, expiresInDays: Number(days) };
    const params = { header: { 'Idempotency-Key': keyOf(body) } };
    const { data } = await api.POST('/api/v1/keys', { params, body });
    setMinted(data);
    onMinted();
  });
  const revoking = useSubmission(async () => {
    const params = { path: { keyId: minted!.keyId } };
    await api.DELETE('/api/v1/keys/{keyId}', { params });
    say(`“${label}” is revoked.`);
    setMinted(undefined);
    onMinted();
  });
  if (minted && minted.token === undefined)
    return (
      <Confirm
        title={`The token of “${label}” was lost`}
        words={
          'The key was minted, but the answer with its token did not arrive, and it is not shown ' +
          'again: nobody has it. Revoke this key, then mint another.'
        }
        submitLabel="Revoke this key"
        of={revoking}
        onClose={onClose}
      />
    );
  if (minted?.token !== undefined)
    return (
      <OnceShown
        title={`The token of “${label}”`}
        words="Copy it now: it is shown only once and cannot be recovered."
        secret={minted.token}
        label="Copy the token"
        onClose={onClose}
      />
    );
  return (
    <Dialog title="Mint a key" onClose={onClose}>
      <Form of={minting} submitLabel="Mint" onCancel={onClose}>
        <TextField
          label="Label"
          hint="Purpose of the key; shown in the list and in the audit."
          value={label}
          onValue={setLabel}
          maxLength={100}
          error={errorAt(minting.error, 'label')}
          isRequired
        />
        <SelectField
          label="Scope"
          value={scope}
          onValue={(value) => setScope(value as Scope)}
          choices={scopes}
        />
        <TextField
          label="Expires in days"
          type="number"
          min={1}
          max={DAYS_MAX}
          value={days}
          onValue={setDays}
          error={errorAt(minting.error, 'expiresInDays')}
          isRequired
        />
      </Form>
    </Dialog>
  );
};
