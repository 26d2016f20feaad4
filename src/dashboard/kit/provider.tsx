import { createContext, type ReactNode, useContext } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import type { KitWords } from '../words/en/kit.ts';

/** What all parts of the kit know: the language, the zone, the clock and the words. */
export type KitSettings = {
  /** The locale of numbers, dates and sorting, such as `en-US`. */
  readonly locale: string;
  /** The zone times are shown in. */
  readonly timeZone: string;
  readonly words: KitWords;
  /** The time of the environment, which in a sandbox may differ from the machine's. */
  readonly now: () => Date;
  /** Whether single letters act in grids; people can switch them off. */
  readonly hasLetterKeys: boolean;
  /** Goes to an address of the dashboard. */
  readonly open: (href: string) => void;
};

const KitContext = createContext<KitSettings | null>(null);

/** The settings of the kit. Throws outside of a `KitProvider`. */
export function useKit(): KitSettings {
  const settings = useContext(KitContext);
  if (settings === null) throw new Error('Parts of the kit need a KitProvider above them.');
  return settings;
}

const systemNow = () => new Date();
const assign = (href: string) => window.location.assign(href);

type KitProviderProps = {
  readonly locale: string;
  readonly words: KitWords;
  readonly timeZone?: string;
  readonly now?: () => Date;
  readonly hasLetterKeys?: boolean;
  /** Goes to an address of the dashboard without loading a document; links of the kit call it. */
  readonly navigate?: (href: string) => void;
  readonly children: ReactNode;
};

/** Gives the parts their language, words, zone, clock and router. Once around the dashboard. */
export function KitProvider({
  locale,
  words,
  timeZone = 'UTC',
  now = systemNow,
  hasLetterKeys = true,
  navigate = assign,
  children,
}: KitProviderProps) {
  return (
    <I18nProvider locale={locale}>
      <RouterProvider navigate={navigate}>
        <KitContext value={{ locale, words, timeZone, now, hasLetterKeys, open: navigate }}>
          {children}
        </KitContext>
      </RouterProvider>
    </I18nProvider>
  );
}
