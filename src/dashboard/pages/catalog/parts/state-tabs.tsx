import { addressOf, type PlainPageName, useAddressSearch } from '../../../address.ts';
import { LinkTabs } from '../../../kit/link-tabs.tsx';

/** Objects to list: all, enabled, or disabled objects. */
export type ShownState = 'all' | 'on' | 'off';

const states: readonly ShownState[] = ['all', 'on', 'off'];

/** Returns the selected tab from the URL. */
export function useShownState(): ShownState {
  const [{ state }] = useAddressSearch();
  return states.find((each) => each === state) ?? 'all';
}

type StateTabsProps = {
  /** Name of the page, for the URLs of the tabs. */
  readonly name: PlainPageName;
  readonly label: string;
  readonly texts: Readonly<Record<ShownState, string>>;
};

/** Tabs that filter a list to all, enabled, or disabled objects. */
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
