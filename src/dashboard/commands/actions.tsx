import { useMemo } from 'react';
import { useAddressSearch } from '../address.ts';
import { environment } from '../data/place.ts';
import { useStore } from '../data/store.ts';
import { Button } from '../kit/button.tsx';
import { Menu, type MenuGroup } from '../kit/menu.tsx';
import { usePageActions } from '../shell/palette/page-actions.ts';
import type { AnyCommand, CommandName, Subject } from './command.ts';
import { CommandDialog } from './command-dialog.tsx';
import { useCommandWords } from './fields.tsx';
import { commandNamed, commandsFor } from './index.ts';

/** Opens a command over the page, by the address: `?do=cancel`, with a target where it is about one part. */
export function useCommandAddress() {
  const [search, change] = useAddressSearch();
  return {
    command: commandNamed(search['do']),
    target: search['target'],
    open: (name: CommandName, target?: string) => change({ do: name, target }, { isNew: true }),
    close: () => change({ do: undefined, target: undefined }),
  };
}

const groups = ['subscription', 'money', 'allowances', 'links'] as const;

type Props = {
  readonly subject: Subject;
  /** Commands with a button of their own, in this order; the rest is in the menu. */
  readonly primary: readonly CommandName[];
  /** Actions that are no commands, below those in the menu. */
  readonly more?: MenuGroup;
  /** Called once a command has run. */
  readonly onDone: () => void;
};

/** The actions of a customer or a subscription: buttons for the frequent ones, a menu for all, and the dialog of the one that is open. */
export function CommandActions({ subject, primary, more, onDone }: Props) {
  const words = useCommandWords();
  const { open } = useCommandAddress();
  const possible = commandsFor(subject, useStore(environment));
  const shown = primary.flatMap((name) => possible.find((command) => command.name === name) ?? []);
  const item = (command: AnyCommand) => ({
    id: command.name,
    label: words[command.name].title,
    ...(command.isDangerous === true && { tone: 'danger' as const }),
    onAction: () => open(command.name),
  });
  const names = possible.map(({ name }) => name).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: The names stand for the commands.
  const entries = useMemo(
    () =>
      possible.map(({ name, group }) => ({
        id: `command-${name}`,
        label: words[name].title,
        words: words.groups[group],
        run: () => open(name),
      })),
    [names, words],
  );
  usePageActions(entries);
  const menu: MenuGroup[] = groups.map((group) => ({
    title: words.groups[group],
    items: possible.filter((command) => command.group === group).map(item),
  }));
  if (more !== undefined) menu.push(more);
  return (
    <>
      <Menu label={words.actions} groups={menu.filter(({ items }) => items.length > 0)} />
      {shown.map(({ name }, index) => (
        <Button
          key={name}
          kind={index === shown.length - 1 ? 'primary' : 'normal'}
          onPress={() => open(name)}
        >
          {words[name].title}
        </Button>
      ))}
      <OpenCommandDialog subject={subject} onDone={onDone} />
    </>
  );
}

/** The dialog of the command the address names. */
export function OpenCommandDialog({ subject, onDone }: Pick<Props, 'subject' | 'onDone'>) {
  const { command, target, close } = useCommandAddress();
  if (command === undefined) return null;
  const of = { ...subject, target };
  return (
    <CommandDialog
      key={`${command.name} ${target ?? ''}`}
      command={command}
      subject={of}
      onClose={close}
      onDone={onDone}
    />
  );
}
