import { ApiError } from '../../data/api-error.ts';
import { useAction, useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Form } from '../../kit/form.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Heading, Text } from '../../kit/text.tsx';
import { TextArea } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { RelativeTime } from '../../kit/values.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { countNoteChange } from './note-changes.ts';
import {
  CustomerNoteCreateDocument,
  CustomerNoteDeleteDocument,
  CustomerNotesDocument,
} from './notes.graphql';

/** Notes about a customer, visible only to members of the organization. */
export function Notes({ id }: { readonly id: string }) {
  const { notes: words } = useCustomerWords();
  const { data, error, refetch } = useData(CustomerNotesDocument, { id });
  const [add, { isRunning, error: rejection }] = useAction(CustomerNoteCreateDocument);
  const [remove, { isRunning: isRemoving }] = useAction(CustomerNoteDeleteDocument);
  const draft = useDraft(
    { text: '' },
    {
      isReady: ({ text }) => text.trim() !== '',
      send: ({ text }) => add({ input: { customerId: id, text: text.trim() } }),
      onDone: () => {
        draft.reset();
        refetch();
        countNoteChange();
      },
    },
  );
  const drop = async (noteId: string) => {
    if ((await remove({ input: { id: noteId } })) instanceof ApiError) return;
    refetch();
    countNoteChange();
  };
  return (
    <Stack gap={3}>
      <Heading level={2} size="md">
        {words.title}
      </Heading>
      <Form draft={draft}>
        <TextArea
          label={words.add}
          rows={2}
          maxLength={10_000}
          value={draft.values.text}
          onChange={(text) => draft.change({ text })}
          error={rejection?.message ?? error?.message}
        />
        <div>
          <Button type="submit" size="sm" isDisabled={!draft.isReady} isPending={isRunning}>
            {words.save}
          </Button>
        </div>
      </Form>
      {data?.customer.notes.nodes.map((note) => (
        <Stack key={note.id} gap={1}>
          <Text as="p">{note.text}</Text>
          <Row justify="between">
            <Text size="sm" color="muted">
              {note.authorName && `${note.authorName} · `}
              <RelativeTime at={note.createdAt} />
            </Text>
            <Button size="sm" kind="quiet" isDisabled={isRemoving} onPress={() => void drop(note.id)}>
              {words.remove}
            </Button>
          </Row>
        </Stack>
      ))}
    </Stack>
  );
}
