import { useId, useState } from 'react';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { TextArea, TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { kinds } from '../../parts/events/event-kinds.ts';
import { Rejection } from '../../shell/rejection.tsx';
import type { EndpointFragment } from './endpoint.graphql';
import { KindsField } from './kinds-field.tsx';
import { EndpointCreateDocument, EndpointUpdateDocument, type EventKind } from './page.graphql';
import { SecretPanel } from './secret-panel.tsx';
import { useWebhookWords } from './webhook-words.ts';

const valuesOf = (endpoint: EndpointFragment | undefined) => ({
  url: endpoint?.url ?? '',
  description: endpoint?.description ?? '',
  events: endpoint?.events ?? kinds.map(({ value }): EventKind => value),
});

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
  const [secret, setSecret] = useState<string | null>(null);
  const [create, created] = useAction(EndpointCreateDocument);
  const [update, updated] = useAction(EndpointUpdateDocument);
  const { isRunning, error } = endpoint === undefined ? created : updated;
  const draft = useDraft(valuesOf(endpoint), {
    isReady: ({ url, events }) => url.trim() !== '' && events.length > 0,
    needsChange: endpoint !== undefined,
    send: async ({ url, events, description }) => {
      const input = { url: url.trim(), events };
      const text = description.trim();
      return endpoint === undefined
        ? create({ input: { ...input, ...(text !== '' && { description: text }) } })
        : update({ input: { ...input, id: endpoint.id, description: text === '' ? null : text } });
    },
    onDone: (result) => {
      onDone();
      if ('webhookCreate' in result) setSecret(result.webhookCreate.secretKey);
      else onClose();
    },
  });
  const { field } = draft;
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
        <Button kind="primary" type="submit" form={form} isDisabled={!draft.isReady} isPending={isRunning}>
          {endpoint === undefined ? words.create : words.save}
        </Button>
      }
    >
      <Form id={form} draft={draft} errors={error?.details ?? []}>
        <Stack gap={4}>
          <TextField
            name="url"
            label={words.url}
            help={words.urlHelp}
            {...field('url')}
            isRequired
            autoFocus
            code
          />
          <TextArea name="description" label={words.description} rows={2} {...field('description')} />
          <KindsField {...field('events')} />
          <Rejection error={error} />
        </Stack>
      </Form>
    </Sheet>
  );
}
