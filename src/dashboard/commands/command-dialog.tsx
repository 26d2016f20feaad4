import { useId, useState } from 'react';
import { Button, LinkButton } from '../kit/button.tsx';
import { Callout } from '../kit/callout.tsx';
import { Copy } from '../kit/copy.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Columns, Grow, Stack } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import { notify } from '../shell/notices.ts';
import type { AnyCommand, Result, Subject } from './command.ts';
import { CommandConsequence, CommandFields } from './command-form.tsx';
import { useCommandWords } from './fields.tsx';
import { useCommand } from './use-command.ts';

type Props = {
  readonly command: AnyCommand;
  readonly subject: Subject;
  readonly onClose: () => void;
  /** Called with the result after the command has run. */
  readonly onDone: (result: Result) => void;
};

/** Shows the link that a command created, with buttons that copy and open the link. */
function LinkResult({ link, command }: { readonly link: string; readonly command: AnyCommand }) {
  const words = useCommandWords();
  return (
    <Stack gap={4}>
      <Callout tone="positive">{words[command.name].done}</Callout>
      <Copy value={link} />
      <div>
        <LinkButton kind="primary" href={link} target="_blank">
          {words.openLink}
        </LinkButton>
      </div>
    </Stack>
  );
}

/** Dialog with a command's form and preview. The button shows the amount to be charged. */
export function CommandDialog({ command, subject, onClose, onDone }: Props) {
  const words = useCommandWords();
  const [link, setLink] = useState<string | null>(null);
  const open = useCommand(command, subject, (result) => {
    if (result.warning !== undefined) notify(words.charge[result.warning], { tone: 'negative' });
    else notify(words[command.name].done);
    onDone(result);
    if (result.link === undefined) onClose();
    else setLink(result.link);
  });
  const id = useId();
  const hasConsequence = command.preview !== undefined || command.Consequence !== undefined;
  const actions = (
    <>
      {open.rejection !== null && command.input(open.draft.values, subject) !== null && (
        <Grow>
          <Text size="sm" color="negative">
            {open.rejection}
          </Text>
        </Grow>
      )}
      <Button slot="close">{command.name === 'cancel' ? words.cancel.keep : words.keep}</Button>
      <Button
        type="submit"
        form={id}
        kind={command.isDangerous === true ? 'danger' : 'primary'}
        isDisabled={!open.draft.isReady}
        isPending={open.isRunning}
      >
        {open.verb}
      </Button>
    </>
  );
  const fields = <CommandFields command={command} subject={subject} open={open} id={id} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words[command.name].title}
      size={hasConsequence ? 'lg' : 'md'}
      actions={link === null ? actions : <Button onPress={onClose}>{words.close}</Button>}
    >
      {link !== null && <LinkResult link={link} command={command} />}
      {link === null && !hasConsequence && fields}
      {link === null && hasConsequence && (
        <Columns count={2} gap={6}>
          {fields}
          <CommandConsequence command={command} subject={subject} open={open} />
        </Columns>
      )}
    </Dialog>
  );
}
