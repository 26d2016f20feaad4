import { Callout } from '../kit/callout.tsx';
import { Form } from '../kit/form.tsx';
import { Stack } from '../kit/layout.tsx';
import { Loading } from '../kit/states.tsx';
import { Heading, Text } from '../kit/text.tsx';
import type { AnyCommand, Subject } from './command.ts';
import { useCommandWords } from './fields.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import type { OpenCommand } from './use-command.ts';

type Props = {
  readonly command: AnyCommand;
  readonly subject: Subject;
  readonly open: OpenCommand;
};

export function CommandFields({ command, subject, open, id }: Props & { readonly id: string }) {
  const words = useCommandWords();
  const { Fields } = command;
  return (
    <Form id={id} draft={open.draft} errors={open.problems}>
      <Stack gap={4}>
        <Text as="p" color="muted">
          {words[command.name].about}
        </Text>
        {Fields !== undefined && (
          <Fields {...open.draft} subject={subject} rejected={open.preview.preview?.rejection ?? null} />
        )}
      </Stack>
    </Form>
  );
}

/** Shows a command's preview. If the command has no preview, shows the description of its effect. */
export function CommandConsequence({ command, subject, open }: Props) {
  const words = useCommandWords();
  const { Consequence } = command;
  const { preview, error, isCurrent } = open.preview;
  if (command.preview === undefined)
    return Consequence === undefined ? null : (
      <Stack gap={3}>
        <Heading level={3}>{words.preview.title}</Heading>
        <Consequence {...open.draft} subject={subject} />
      </Stack>
    );
  return (
    <Stack gap={3}>
      <Heading level={3}>{words.preview.title}</Heading>
      <div aria-live="polite" aria-busy={!isCurrent}>
        {preview !== null && preview.rejection === null && (
          <PreviewPanel preview={preview} today={subject.subscription} />
        )}
        {preview?.rejection && (
          <Stack gap={3}>
            <Callout tone="negative" title={words.preview.rejected}>
              {preview.rejection.message}
            </Callout>
            {preview.invoices.length > 0 && <PreviewPanel preview={preview} today={subject.subscription} />}
          </Stack>
        )}
        {preview === null && error !== null && <Callout tone="negative">{error.message}</Callout>}
        {preview === null && error === null && command.input(open.draft.values, subject) === null && (
          <Text as="p" color="muted">
            {words.missing}
          </Text>
        )}
        {preview === null && error === null && command.input(open.draft.values, subject) !== null && (
          <Loading lines={4} />
        )}
      </div>
    </Stack>
  );
}
