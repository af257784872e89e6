import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../ui/controls.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Trouble } from '../../ui/notices.tsx';
import type { Photo } from './photo.ts';
import { PHOTOS_MAX, type Photos } from './use-photos.ts';

/** The longest side of the preview, in pixels. */
const SHOWN_SIDE = 320;

/** Takes a photo with the camera of a phone, or chooses one. */
export const PhotoField = ({ of }: { readonly of: Photos }): JSX.Element => (
  <div class="photos">
    {of.ready.map((photo, at) => (
      <figure key={at} class="photo">
        <Picture of={photo} label={`Photo ${at + 1}: ${photo.name}`} />
        <Button icon="close" label={`Remove photo ${at + 1}`} onPress={() => of.remove(photo)} />
      </figure>
    ))}
    {of.ready.length < PHOTOS_MAX && (
      <>
        <FileButton icon="camera" words="Take a photo" isCamera onFiles={of.take} />
        <FileButton icon="upload" words="Choose a photo" onFiles={of.take} />
      </>
    )}
    {of.lost > 0 && (
      <p class="draft-notice" role="status">
        <span>
          {of.lost === 1
            ? 'The chosen photo was not saved: please choose it again.'
            : `The ${of.lost} chosen photos were not saved: please choose them again.`}
        </span>
        <button type="button" class="button quiet" onClick={of.forgetLost}>
          Dismiss
        </button>
      </p>
    )}
    <Trouble error={of.error} />
  </div>
);

const FileButton = ({
  icon,
  words,
  isCamera = false,
  onFiles,
}: {
  readonly icon: IconName;
  readonly words: string;
  /** Opens the camera directly on a phone. */
  readonly isCamera?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}): JSX.Element => {
  const id = useId();
  return (
    <label class="button photo-take" for={id}>
      <Icon name={icon} />
      {words}
      <input
        id={id}
        class="visually-hidden"
        type="file"
        accept="image/*"
        {...(isCamera && { capture: 'environment' as const })}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Reset, so that the same photo can be chosen again.
          currentTarget.value = '';
        }}
      />
    </label>
  );
};

const Picture = ({ of, label }: { readonly of: Photo; readonly label: string }): JSX.Element => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { picture } = of;
  useLayoutEffect(() => {
    if (picture === null) return;
    const scale = Math.min(1, SHOWN_SIDE / Math.max(picture.width, picture.height));
    const element = canvas.current!;
    element.width = Math.round(picture.width * scale);
    element.height = Math.round(picture.height * scale);
    element.getContext('2d')!.drawImage(picture, 0, 0, element.width, element.height);
  }, [picture]);
  return picture === null ? (
    <p class="photo-name">{of.name}</p>
  ) : (
    <canvas ref={canvas} role="img" aria-label={label} />
  );
};
