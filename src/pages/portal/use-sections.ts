import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import { useLive } from '../data/live.ts';
import { Rejection, run } from '../data/service.ts';
import type { Steps } from '../data/use-steps.ts';
import { addressOf, sectionHere } from './address.ts';
import { sections } from './sections/index.ts';
import type { Frame } from './sections/kind.ts';
import { type SectionName, sectionNamed } from './sections/names.ts';
import { IssuedDocument, StandingDocument } from './steps.graphql';

/** What is shown: a section, and what the service answered for it. */
type Shown = { readonly name: SectionName; readonly portal: Frame };

const isUnauthorized = (error: unknown): boolean =>
  error instanceof Rejection && error.code === 'unauthorized';

/** What a section showed when it was read: the portal, nothing while it cannot be read, or that the session has ended. */
export type Reading = Frame | 'unreachable' | 'ended';

/** The section that is shown, and how it is read again. */
function useReading(first: Frame) {
  const { section, token, language } = usePage();
  const [shown, setShown] = useState<Shown>({ name: sectionNamed(section), portal: first });
  const [isEnded, setIsEnded] = useState(false);
  const turn = useRef(0);

  /** Reads a section and shows it. What was requested earlier is not shown any more. */
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

/** What is shown of a subscription, in the order of what is told of it. */
const standingOf = (shown: object | null, told: object): unknown =>
  shown === null
    ? null
    : Object.fromEntries(Object.keys(told).map((name) => [name, (shown as Record<string, unknown>)[name]]));

/** Reads a section again when something it shows changed, here or elsewhere. */
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
    // The first value is the latest invoice, which is shown already.
    value: () => {
      invoices.current += 1;
      if (invoices.current > 1) reread();
    },
    end: () => undefined,
  });
  // No live field tells of each use that is counted: who comes back to the page sees how things stand by now.
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible' && !isEnded) reread();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  });
}

/** The section that is shown; `clear` forgets what was said in the one before. */
export function useSections(first: Frame, steps: Steps, clear: () => void) {
  const page = usePage();
  const reading = useReading(first);
  useChanges(reading, steps.isBusy);

  /** Shows a section; at its address, unless the browser went there. */
  async function show(name: SectionName, isThere = false): Promise<void> {
    if (steps.isBusy) return;
    clear();
    const result = await reading.read(name);
    if (result === 'ended') return;
    // Without an answer the browser says what is wrong.
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
