import { useMemo } from 'react';
import { useAddressSearch } from '../address.ts';
import { environment } from '../data/place.ts';
import { useStore } from '../data/store.ts';
import { useViewer } from '../data/viewer.ts';
import { Button } from '../kit/button.tsx';
import { lazyPart } from '../kit/lazy-part.tsx';
import { Menu, type MenuGroup } from '../kit/menu.tsx';
import { usePageActions } from '../shell/palette/page-actions.ts';
import type { AnyCommand, CommandName, Subject } from './command.ts';
import { useCommandWords } from './fields.tsx';
import { commandNamed, commandsFor } from './index.ts';

const CommandDialog = lazyPart(() => import('./command-dialog.tsx').then((module) => module.CommandDialog));

/**
 * Opens a command's dialog with a query parameter, such as `?do=cancel`. `target` is the ID of the credit, add-on or transaction that the command
 * applies to.
 */
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
  /** Commands that have their own button, in display order. The menu contains all commands. */
  readonly primary: readonly CommandName[];
  /** Menu entries shown below the commands. */
  readonly more?: MenuGroup;
  /** Called after a command has run. */
  readonly onDone: () => void;
};

/** Actions for a customer or a subscription: buttons for frequent commands, a menu with all commands, and the dialog for the open command. */
export function CommandActions({ subject, primary, more, onDone }: Props) {
  const words = useCommandWords();
  const { open } = useCommandAddress();
  const possible = commandsFor(subject, useStore(environment), useViewer().membership);
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

/** Dialog for the command named in the URL. */
function OpenCommandDialog({ subject, onDone }: Pick<Props, 'subject' | 'onDone'>) {
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
