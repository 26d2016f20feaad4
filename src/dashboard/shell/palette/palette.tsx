import SearchIcon from 'lucide-react/icons/search';
import { useEffect, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Collection } from 'react-aria-components/Collection';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { TextField } from 'react-aria-components/TextField';
import { useStore } from '../../data/store.ts';
import { KeyHint } from '../../kit/key-hint.tsx';
import { useWords } from '../../words/words.ts';
import { isPaletteOpen } from '../open-panels.ts';
import { type PaletteEntry, prefixOf, ranked } from './entries.ts';
import { countUse, readUses } from './entry-counts.ts';
import { pageActions } from './page-actions.ts';
import styles from './palette.module.css';
import { useCommandEntries, usePageEntries } from './use-entries.ts';
import { isId, useThings } from './use-object-search.ts';

const close = (): void => isPaletteOpen.set(false);

function choose({ id, run }: PaletteEntry): void {
  countUse(id);
  close();
  run();
}

type Group = { readonly id: string; readonly title: string; readonly entries: readonly PaletteEntry[] };

const shown = 6;

function useGroups(typed: string): { readonly groups: readonly Group[]; readonly isLoading: boolean } {
  const { palette } = useWords('shell');
  const { part, text } = prefixOf(typed);
  const [pages, commands] = [usePageEntries(), useCommandEntries()];
  const actions = useStore(pageActions).flat();
  const { things, isLoading } = useThings(part === 'actions' ? '' : text);
  const uses = readUses();
  const groups = [
    { id: 'things', title: palette.things, entries: things },
    { id: 'pages', title: palette.goTo, entries: part === 'all' ? ranked(pages, text, uses) : [] },
    { id: 'here', title: palette.here, entries: part === 'things' ? [] : ranked(actions, text, uses) },
    { id: 'do', title: palette.do, entries: part === 'things' ? [] : ranked(commands, text, uses) },
  ];
  return {
    isLoading,
    groups: groups
      .map((group) => ({ ...group, entries: group.entries.slice(0, shown) }))
      .filter(({ entries }) => entries.length > 0),
  };
}

function Content() {
  const { palette, search } = useWords('shell');
  const [typed, setTyped] = useState('');
  const { groups, isLoading } = useGroups(typed);
  const [thing] = groups.find(({ id }) => id === 'things')?.entries ?? [];
  // Opens the object of a pasted ID.
  useEffect(() => {
    if (thing !== undefined && isId(typed) && thing.id === typed.trim()) choose(thing);
  }, [thing, typed]);
  const entries = groups.flatMap((group) => group.entries);
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped}>
      <TextField aria-label={search} className={styles.field ?? ''} autoFocus>
        <SearchIcon aria-hidden="true" />
        <Input placeholder={palette.placeholder} className={styles.input ?? ''} />
      </TextField>
      <Menu
        aria-label={palette.results}
        className={styles.list ?? ''}
        items={groups}
        onAction={(id) => {
          const entry = entries.find((each) => each.id === id);
          if (entry !== undefined) choose(entry);
        }}
        renderEmptyState={() => (
          <p className={styles.empty}>{isLoading ? palette.searching : palette.nothing}</p>
        )}
      >
        {(group) => (
          <MenuSection id={group.id} className={styles.group ?? ''}>
            <Header className={styles.title ?? ''}>{group.title}</Header>
            <Collection items={group.entries}>
              {(entry) => (
                <MenuItem id={entry.id} textValue={entry.label} className={styles.entry ?? ''}>
                  <span className={styles.label}>{entry.label}</span>
                  {entry.detail !== undefined && <span className={styles.detail}>{entry.detail}</span>}
                  {entry.keys !== undefined && <KeyHint keys={entry.keys} />}
                </MenuItem>
              )}
            </Collection>
          </MenuSection>
        )}
      </Menu>
    </Autocomplete>
  );
}

/** Command palette: finds pages, objects and actions. */
export default function Palette() {
  const { search } = useWords('shell');
  return (
    <ModalOverlay
      isOpen={useStore(isPaletteOpen)}
      onOpenChange={isPaletteOpen.set}
      isDismissable
      className={styles.overlay ?? ''}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog aria-label={search} className={styles.dialog ?? ''}>
          <Content />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
