import { createContext, type ReactNode, useContext, useEffect, useSyncExternalStore } from 'react';
import { RouterProvider } from 'react-aria-components';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import type { Words } from '../words/words.ts';
import { lazyPart } from './lazy-part.tsx';
import { hasUnsavedWork, onUnsavedWork, useQuestion } from './unsaved-work.ts';

/** Settings of all kit components. */
export type KitSettings = {
  /** Locale for numbers, dates and sorting, such as `en-US`. */
  readonly locale: string;
  /** Time zone for displayed times. */
  readonly timeZone: string;
  readonly words: Words['kit'];
  /** Returns the environment's time. In a sandbox, the test clock's time. */
  readonly now: () => Date;
  /** True if single-letter shortcuts are enabled in grids. Users can turn them off. */
  readonly hasLetterKeys: boolean;
  readonly open: (href: string) => void;
};

const KitContext = createContext<KitSettings | null>(null);

/** Returns the settings of the kit. Throws outside a `KitProvider`. */
export function useKit(): KitSettings {
  const settings = useContext(KitContext);
  if (settings === null) throw new Error('Parts of the kit need a KitProvider above them.');
  return settings;
}

const DiscardDialog = lazyPart(() => import('./discard-dialog.tsx').then((module) => module.DiscardDialog));

/**
 * Renders the question about unsaved work while it is open. Its code is loaded as soon as there's unsaved work, because the
 * connection may fail later.
 */
function Question() {
  const isNeeded = useSyncExternalStore(onUnsavedWork, () => hasUnsavedWork());
  useEffect(() => {
    if (isNeeded) DiscardDialog.preload();
  }, [isNeeded]);
  return useQuestion() !== null && <DiscardDialog />;
}

const systemNow = () => new Date();
const assign = (href: string) => window.location.assign(href);

type KitProviderProps = {
  readonly locale: string;
  readonly words: Words['kit'];
  readonly timeZone?: string;
  readonly now?: () => Date;
  readonly hasLetterKeys?: boolean;
  /** Navigates to a URL of the dashboard without loading a document. The kit's links call it. */
  readonly navigate?: (href: string) => void;
  readonly children: ReactNode;
};

/**
 * Provides the language, words, time zone, clock and router to kit components, and asks before unsaved work is lost. The dashboard renders it once,
 * around all pages.
 */
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
          <Question />
        </KitContext>
      </RouterProvider>
    </I18nProvider>
  );
}
