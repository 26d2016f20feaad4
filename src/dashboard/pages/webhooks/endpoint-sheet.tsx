import { useId, useState } from 'react';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { TextArea, TextField } from '../../kit/text-field.tsx';
import { kinds } from '../../parts/events/event-kinds.ts';
import { Rejection } from '../../shell/rejection.tsx';
import type { EndpointFragment } from './endpoint.graphql';
import { KindsField } from './kinds-field.tsx';
import { EndpointCreateDocument, EndpointUpdateDocument, type EventKind } from './page.graphql';
import { SecretPanel } from './secret-panel.tsx';
import { useWebhookWords } from './webhook-words.ts';

type EndpointSheetProps = {
  /** Endpoint to edit. Omit to create an endpoint. */
  readonly endpoint?: EndpointFragment;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet that creates or edits an endpoint. Shows the secret of a new endpoint once. */
export function EndpointSheet({ endpoint, onClose, onDone }: EndpointSheetProps) {
  const words = useWebhookWords();
  const form = useId();
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [events, setEvents] = useState<readonly EventKind[]>(
    endpoint?.events ?? kinds.map(({ value }) => value),
  );
  const [secret, setSecret] = useState<string | null>(null);
  const [create, created] = useAction(EndpointCreateDocument);
  const [update, updated] = useAction(EndpointUpdateDocument);
  const { isRunning, error } = endpoint === undefined ? created : updated;
  const isReady = url.trim() !== '' && events.length > 0;
  async function save(): Promise<void> {
    if (!isReady || isRunning) return;
    const input = { url: url.trim(), events };
    const text = description.trim();
    if (endpoint !== undefined) {
      const result = await update({
        input: { ...input, id: endpoint.id, description: text === '' ? null : text },
      });
      if (result instanceof ApiError) return;
      onDone();
      onClose();
      return;
    }
    const result = await create({ input: { ...input, ...(text !== '' && { description: text }) } });
    if (result instanceof ApiError) return;
    setSecret(result.webhookCreate.secretKey);
    onDone();
  }
  if (secret !== null)
    return (
      <Sheet
        isOpen
        onClose={onClose}
        title={words.secretNew}
        size="lg"
        actions={
          <Button kind="primary" onPress={onClose}>
            {words.done}
          </Button>
        }
      >
        <SecretPanel secret={secret} />
      </Sheet>
    );
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={endpoint === undefined ? words.createTitle : words.editTitle}
      size="lg"
      actions={
        <Button kind="primary" type="submit" form={form} isDisabled={!isReady} isPending={isRunning}>
          {endpoint === undefined ? words.create : words.save}
        </Button>
      }
    >
      <Form id={form} onSubmit={() => void save()} errors={error?.details ?? []}>
        <Stack gap={4}>
          <TextField
            name="url"
            label={words.url}
            help={words.urlHelp}
            value={url}
            onChange={setUrl}
            isRequired
            autoFocus
            code
          />
          <TextArea
            name="description"
            label={words.description}
            rows={2}
            value={description}
            onChange={setDescription}
          />
          <KindsField value={events} onChange={setEvents} />
          <Rejection error={error} />
        </Stack>
      </Form>
    </Sheet>
  );
}
