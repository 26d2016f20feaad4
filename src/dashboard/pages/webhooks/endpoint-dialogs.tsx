import { addressOf } from '../../address.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { EndpointDeleteDocument, EndpointUpdateDocument } from './page.graphql';
import { useWebhookWords } from './webhook-words.ts';

type DialogProps = { readonly id: string; readonly onClose: () => void };

/** Asks before an endpoint is switched off. */
export function PauseEndpoint({ id, onClose }: DialogProps) {
  const words = useWebhookWords();
  const [update, { isRunning, error }] = useAction(EndpointUpdateDocument);
  async function confirm(): Promise<void> {
    const result = await update({ input: { id, isActive: false } });
    if (!(result instanceof ApiError)) onClose();
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.pauseTitle}
      confirm={words.pause}
      isPending={isRunning}
      onConfirm={() => void confirm()}
    >
      <Text as="p">{words.pauseText}</Text>
      <Rejection error={error} />
    </ConfirmDialog>
  );
}

/** Asks before an endpoint is deleted, and goes to the list afterwards. */
export function DeleteEndpoint({ id, url, onClose }: DialogProps & { readonly url: string }) {
  const words = useWebhookWords();
  const { open } = useKit();
  const [remove, { isRunning, error }] = useAction(EndpointDeleteDocument);
  async function confirm(): Promise<void> {
    const result = await remove({ input: { id } });
    if (result instanceof ApiError) return;
    notify(words.removed);
    open(addressOf('webhooks'));
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.removeTitle}
      confirm={words.remove}
      isPending={isRunning}
      onConfirm={() => void confirm()}
    >
      <Text as="p">{words.removeText(url)}</Text>
      <Rejection error={error} />
    </ConfirmDialog>
  );
}
