import { addressOf } from '../../address.ts';
import { useKit } from '../../kit/provider.tsx';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { EndpointDeleteDocument, EndpointUpdateDocument } from './page.graphql';
import { useWebhookWords } from './webhook-words.ts';

type DialogProps = { readonly id: string; readonly onClose: () => void };

/** Confirmation before an endpoint is disabled. */
export function PauseEndpoint({ id, onClose }: DialogProps) {
  const words = useWebhookWords();
  return (
    <AskDialog
      document={EndpointUpdateDocument}
      input={{ id, isActive: false }}
      title={words.pauseTitle}
      texts={[words.pauseText]}
      confirm={words.pause}
      onClose={onClose}
    />
  );
}

/** Confirmation before an endpoint is deleted. Opens the endpoint list after the deletion. */
export function DeleteEndpoint({ id, url, onClose }: DialogProps & { readonly url: string }) {
  const words = useWebhookWords();
  const { open } = useKit();
  return (
    <AskDialog
      document={EndpointDeleteDocument}
      input={{ id }}
      title={words.removeTitle}
      texts={[words.removeText({ url })]}
      confirm={words.remove}
      done={words.removed}
      onDone={() => open(addressOf('webhooks'))}
      onClose={onClose}
    />
  );
}
