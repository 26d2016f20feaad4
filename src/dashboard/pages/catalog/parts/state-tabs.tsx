import { addressOf, type PlainPageName, useAddressSearch } from '../../../address.ts';
import { LinkTabs } from '../../../kit/link-tabs.tsx';

/** Whether a list shows all things, those that are switched on, or the others. */
export type ShownState = 'all' | 'on' | 'off';

const states: readonly ShownState[] = ['all', 'on', 'off'];

/** The state the address names. */
export function useShownState(): ShownState {
  const [{ state }] = useAddressSearch();
  return states.find((each) => each === state) ?? 'all';
}

type StateTabsProps = {
  /** The page's name, for the addresses. */
  readonly name: PlainPageName;
  /** What the tabs are of, for readers. */
  readonly label: string;
  readonly texts: Readonly<Record<ShownState, string>>;
};

/** Shows all things of a list, those that are switched on, or the others. */
export function StateTabs({ name, label, texts }: StateTabsProps) {
  const [search] = useAddressSearch();
  return (
    <LinkTabs
      label={label}
      selected={useShownState()}
      items={states.map((id) => ({
        id,
        label: texts[id],
        href: addressOf(name, null, { ...search, state: id === 'all' ? undefined : id }),
      }))}
    />
  );
}
