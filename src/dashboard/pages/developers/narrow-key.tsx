import { useId } from 'react';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Text } from '../../kit/text.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { useDeveloperWords } from './developer-words.ts';
import { keptPermissions, permissionsByArea } from './key-permissions.ts';
import { DeveloperKeyNarrowDocument, type DeveloperKeysQuery } from './keys.graphql';
import { PermissionTable } from './permission-table.tsx';

type NarrowKeyProps = {
  readonly of: Pick<DeveloperKeysQuery['apiKeys']['nodes'][number], 'id' | 'name' | 'scopes' | 'permissions'>;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Dialog that removes permissions of an API key. */
export function NarrowKey({ of, onClose, onDone }: NarrowKeyProps) {
  const words = useDeveloperWords();
  const form = useId();
  const held: readonly string[] = permissionsByArea(of);
  const [narrow, { isRunning, error }] = useAction(DeveloperKeyNarrowDocument);
  const draft = useDraft(
    { permissions: held },
    {
      isReady: ({ permissions }) => permissions.length > 0 && permissions.length < held.length,
      send: ({ permissions }) =>
        narrow({ input: { id: of.id, permissions: keptPermissions(of, permissions) } }),
      onDone: () => {
        notify(words.narrowed);
        onDone();
        onClose();
      },
    },
  );
  const { permissions } = draft.values;
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.narrowTitle({ name: of.name })}
      subtitle={words.narrowAbout}
      actions={
        <Button kind="primary" type="submit" form={form} isDisabled={!draft.isReady} isPending={isRunning}>
          {words.narrowSave}
        </Button>
      }
    >
      <Form id={form} draft={draft} errors={error?.details ?? []}>
        <Stack gap={4}>
          <PermissionTable
            held={held}
            selected={permissions}
            onChange={(selected) => draft.change({ permissions: selected })}
          />
          {permissions.length === 0 && <Text color="warning">{words.noScopes}</Text>}
          <Rejection error={error} />
        </Stack>
      </Form>
    </Sheet>
  );
}
