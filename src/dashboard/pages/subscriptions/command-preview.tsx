import { useId, useState } from 'react';
import type { AnyCommand, Subject } from '../../commands/command.ts';
import { CommandConsequence, CommandFields } from '../../commands/command-form.tsx';
import { useCommandWords } from '../../commands/fields.tsx';
import { commandsFor } from '../../commands/index.ts';
import { useCommand } from '../../commands/use-command.ts';
import { environment } from '../../data/place.ts';
import { useStore } from '../../data/store.ts';
import { useViewer } from '../../data/viewer.ts';
import { Button } from '../../kit/button.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { Select } from '../../kit/select.tsx';
import { Text } from '../../kit/text.tsx';
import { NextInvoice } from '../../parts/subscription/next-invoice.tsx';
import { useSubscriptionWords } from '../../parts/subscription-words.ts';
import { notify } from '../../shell/notices.ts';
import { SimulationSection } from './simulation-section.tsx';

type Props = { readonly subject: Subject; readonly onDone: () => void };

/** Shows the preview of a command, and the button that runs it. */
function Choice({ command, subject, onDone }: Props & { readonly command: AnyCommand }) {
  const words = useCommandWords();
  const running = useCommand(command, subject, () => {
    notify(words[command.name].done);
    onDone();
  });
  // The values of a comparison don't count as unsaved work.
  const open = { ...running, draft: { ...running.draft, isChanged: false } };
  const id = useId();
  return (
    <Stack gap={5}>
      <CommandFields command={command} subject={subject} open={open} id={id} />
      <CommandConsequence command={command} subject={subject} open={open} />
      <div>
        <Button
          type="submit"
          form={id}
          kind={command.isDangerous === true ? 'danger' : 'normal'}
          isDisabled={!open.draft.isReady}
          isPending={open.isRunning}
        >
          {open.verb}
        </Button>
      </div>
    </Stack>
  );
}

type PickProps = Props & {
  readonly label: string;
  readonly commands: readonly AnyCommand[];
  readonly first?: string;
};

/** Card that previews the selected command. */
function Pick({ label, commands, subject, onDone, first = '' }: PickProps) {
  const words = useCommandWords();
  const [name, setName] = useState(first);
  const command = commands.find((each) => each.name === name);
  return (
    <Card title={label}>
      <Stack gap={4}>
        <Select
          label={label}
          isLabelHidden
          options={commands.map((each) => ({ value: each.name, label: words[each.name].title }))}
          value={name === '' ? null : name}
          onChange={setName}
        />
        {command !== undefined && (
          <Choice key={command.name} command={command} subject={subject} onDone={onDone} />
        )}
      </Stack>
    </Card>
  );
}

/** Compares command previews with the current state. In the sandbox, also simulates the subscription until a future date. */
export function WhatIf({ subject, onDone }: Props) {
  const { whatIf: words } = useSubscriptionWords();
  const place = useStore(environment);
  const { membership } = useViewer();
  const commands = commandsFor(subject, place, membership).filter(({ preview }) => preview !== undefined);
  const { subscription } = subject;
  return (
    <Stack gap={6}>
      <Text as="p" color="muted">
        {words.about}
      </Text>
      {subscription !== null && (
        <Card title={words.today}>
          <NextInvoice subscriptionId={subscription.id} />
        </Card>
      )}
      <Columns count={2} gap={4}>
        <Pick
          label={words.first}
          commands={commands}
          subject={subject}
          onDone={onDone}
          first={commands.find(({ name }) => name === 'changePlan')?.name ?? commands[0]?.name ?? ''}
        />
        <Pick
          label={words.second}
          commands={commands}
          subject={subject}
          onDone={onDone}
          first={commands.find(({ name }) => name === 'cancel')?.name ?? ''}
        />
      </Columns>
      {place === 'sandbox' && subscription !== null && <SimulationSection subscriptionId={subscription.id} />}
    </Stack>
  );
}
