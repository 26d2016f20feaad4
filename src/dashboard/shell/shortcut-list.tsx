import { useStore } from '../data/store.ts';
import { Switch } from '../kit/choice.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { KeyHint } from '../kit/key-hint.tsx';
import { Stack } from '../kit/layout.tsx';
import { Table } from '../kit/table.tsx';
import { useWords } from '../words/words.ts';
import { hasShortcuts } from './display.ts';
import { isShortcutListOpen } from './open-panels.ts';
import { usePageKeys } from './shortcuts.ts';

const close = (): void => isShortcutListOpen.set(false);

/** Lists keyboard shortcuts, with a switch for single-letter shortcuts. */
export default function ShortcutList() {
  const words = useWords('shell');
  const names = useWords('titles');
  const rows = [
    { keys: 'Mod K', does: words.keys.palette },
    { keys: '?', does: words.shortcuts },
    { keys: '[', does: words.fold },
    { keys: '`', does: words.drawer },
    { keys: 'Mod Enter', does: words.keys.send },
    { keys: '/', does: words.keys.search },
    { keys: '↑ ↓', does: words.keys.rows },
    { keys: 'x', does: words.keys.select },
    ...usePageKeys().map(({ name, key }) => ({ keys: `g ${key}`, does: names[name] })),
  ];
  return (
    <Dialog isOpen={useStore(isShortcutListOpen)} onClose={close} title={words.shortcuts}>
      <Stack>
        <Switch isSelected={useStore(hasShortcuts)} onChange={hasShortcuts.set}>
          {words.letterShortcuts}
        </Switch>
        <Table
          label={words.shortcuts}
          rows={rows}
          rowKey={({ keys }) => keys}
          columns={[
            { id: 'keys', title: words.keys.title, cell: ({ keys }) => <KeyHint keys={keys} /> },
            { id: 'does', title: words.keys.does, cell: ({ does }) => does },
          ]}
        />
      </Stack>
    </Dialog>
  );
}
