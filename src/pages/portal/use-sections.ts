import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import { useLive } from '../data/live.ts';
import { Rejection, run } from '../data/service.ts';
import type { PageActions } from '../data/use-page-actions.ts';
import { addressOf, sectionHere } from './address.ts';
import { sections } from './sections/index.ts';
import type { Frame } from './sections/kind.ts';
import { type SectionName, sectionNamed } from './sections/names.ts';
import { IssuedDocument, StandingDocument } from './steps.graphql';

/** Current section with its data. */
type Shown = { readonly name: SectionName; readonly portal: Frame };

const isUnauthorized = (error: unknown): boolean =>
  error instanceof Rejection && error.code === 'unauthorized';

/** Result of loading a section: the portal, an error, or the end of the session. */
type Reading = Frame | 'unreachable' | 'ended';

/** Manages the current section, and loads sections. */
function useReading(first: Frame) {
  const { section, token, language } = usePage();
  const [shown, setShown] = useState<Shown>({ name: sectionNamed(section), portal: first });
  const [isEnded, setIsEnded] = useState(false);
  const turn = useRef(0);

  /** Loads and shows a section. Ignores responses of earlier requests. */
  async function read(name: SectionName): Promise<Reading> {
    const own = ++turn.current;
    try {
      const { portal } = await run(sections[name].document, { token, link: language });
      if (own === turn.current) setShown({ name, portal });
      return portal;
    } catch (error) {
      if (!isUnauthorized(error)) return 'unreachable';
      setIsEnded(true);
      return 'ended';
    }
  }
  return { shown, isEnded, read };
}

/** Returns the fields of the displayed subscription that a live value also contains. */
const standingOf = (shown: object | null, told: object): unknown =>
  shown === null
    ? null
    : Object.fromEntries(Object.keys(told).map((name) => [name, (shown as Record<string, unknown>)[name]]));

/** Reloads a section after a change in this or another window. */
function useChanges({ shown, isEnded, read }: ReturnType<typeof useReading>, isBusy: boolean): void {
  const invoices = useRef(0);
  const { subscription } = shown.portal;
  const isWatched = subscription !== null && !isEnded;
  const reread = (): void => {
    if (!isBusy) void read(shown.name);
  };
  useLive(isWatched, StandingDocument, {
    value: ({ portalSubscriptionChanged: told }) => {
      if (JSON.stringify(told) !== JSON.stringify(standingOf(subscription, told))) reread();
    },
    end: reread,
  });
  useLive(isWatched, IssuedDocument, {
    // The first live value is the latest invoice, which is already displayed.
    value: () => {
      invoices.current += 1;
      if (invoices.current > 1) reread();
    },
    end: () => undefined,
  });
  // Usage events don't have a live field. The section reloads when the customer returns to the page.
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible' && !isEnded) reread();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  });
}

/** Manages the current section. `clear` removes the messages of the previous section. */
export function useSections(first: Frame, steps: PageActions, clear: () => void) {
  const page = usePage();
  const reading = useReading(first);
  useChanges(reading, steps.isBusy);

  /** Shows a section and updates the URL, unless the browser has already navigated to it. */
  async function show(name: SectionName, isThere = false): Promise<void> {
    if (steps.isBusy) return;
    clear();
    const result = await reading.read(name);
    if (result === 'ended') return;
    // If there's no response, navigates to the section's URL, so that the browser shows its error page.
    if (result === 'unreachable') return location.assign(addressOf(page, name));
    if (!isThere) history.pushState(null, '', addressOf(page, name));
    document.getElementById('title')?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  useEffect(() => {
    const move = (): void => void show(sectionHere(page.base), true);
    addEventListener('popstate', move);
    return () => removeEventListener('popstate', move);
  });
  return { ...reading, show };
}
