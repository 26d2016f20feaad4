import { useEffect, useState } from 'preact/hooks';
import { useArea, usePage } from '../data/current-page.ts';
import { NoAnswer, Rejection } from '../data/service.ts';
import { fieldElement, typed } from '../data/typed.ts';
import { useSteps } from '../data/use-steps.ts';
import type { Areas } from '../words/areas.ts';
import { readSignedIn, signIn, signOut, signUp } from './account.ts';

type Words = Areas['account'];

/** What a link leads to. */
export type AccountLink = {
  readonly organizationName: string;
  readonly status: 'open' | 'claimed' | 'expired';
  /** Who is invited as what; null for a claim, which anybody may make. */
  readonly invited: { readonly email: string; readonly role: keyof Words['roles'] } | null;
};

/** How the page of a link ends. */
export type Ending = {
  readonly text: string;
  /** Whether the person belongs to the organization now. */
  readonly isDone: boolean;
  /** Whether the way to the dashboard is shown: for who belongs, and where the organization has an owner. */
  readonly hasDashboard: boolean;
};

const done = (text: string): Ending => ({ text, isDone: true, hasDashboard: true });
const taken = (text: string): Ending => ({ text, isDone: false, hasDashboard: true });
const invalid = (text: string): Ending => ({ text, isDone: false, hasDashboard: false });

/** Accepts the link with a token for who has signed in. */
export type Accept = (token: string) => Promise<unknown>;

const fields = ['name', 'email', 'password'];

const codeOf = (error: unknown): string | null => (error instanceof Rejection ? error.code : null);

/** How a page begins that has nothing to ask for. */
function firstEnding(words: Words, { status }: AccountLink): Ending | null {
  if (status === 'claimed') return taken(words.claimed);
  return status === 'expired' ? invalid(words.expired) : null;
}

/** How the page ends with a rejection; null where it goes on. */
function endingWith(words: Words, { organizationName }: AccountLink, code: string | null): Ending | null {
  if (code === 'organization_already_claimed') return taken(words.claimedMeanwhile);
  if (code === 'claim_not_pending' || code === 'not_found') return invalid(words.invalidByNow);
  return code === 'duplicate' ? done(words.belongsAlready(organizationName)) : null;
}

/** What the form lacks, by field. */
const missing = (isNew: boolean): string[] => [
  ...(isNew && typed('name') === '' ? ['name'] : []),
  ...(/^[^@\s]+@[^@\s]+$/.test(typed('email')) ? [] : ['email']),
  ...((fieldElement('password')?.value.length ?? 0) < (isNew ? 10 : 1) ? ['password'] : []),
];

/** The link of a claim or an invitation, and how a person accepts it: signed in already, or with an account made on the way. */
export function useAccount(link: AccountLink, accept: Accept) {
  const { token } = usePage();
  const words = useArea('account');
  const [ending, setEnding] = useState(firstEnding(words, link));
  const [signedIn, setSignedIn] = useState<string | null>(null);
  const [isNew, setIsNew] = useState(true);
  const steps = useSteps(fields, (error) => {
    if (error instanceof NoAnswer) return words.noAnswer;
    if (codeOf(error) === 'unauthorized') return isNew ? words.knownAddress : words.wrongPassword;
    return codeOf(error) === 'rate_limited' || codeOf(error) === 'validation_error' ? null : words.failed;
  });
  const { attempt } = steps;

  useEffect(() => {
    if (ending !== null) return;
    // Without an answer the form asks for an account.
    readSignedIn().then(setSignedIn, () => undefined);
  }, [ending]);

  const finish = (end: Ending) => {
    setEnding(end);
    return { isOpen: false, focus: end.hasDashboard ? 'dashboard' : 'title' };
  };
  const acceptLink = async (): Promise<Ending> => {
    const { organizationName, invited } = link;
    try {
      await accept(token);
    } catch (error) {
      const end = endingWith(words, link, codeOf(error));
      if (end === null) throw error;
      return end;
    }
    return done((invited === null ? words.owns : words.belongs)(organizationName));
  };
  const enter = async (): Promise<Ending> => {
    const proof = { email: typed('email'), password: fieldElement('password')?.value ?? '' };
    if (isNew) await signUp({ name: typed('name'), ...proof });
    await signIn(proof);
    return acceptLink();
  };
  /** Takes a step that may end the page. One that was rejected for an address with an account asks for its password next. */
  const take = (step: () => Promise<Ending>): void =>
    void attempt(
      async () => {
        try {
          return await step();
        } catch (error) {
          if (isNew && codeOf(error) === 'unauthorized') setIsNew(false);
          throw error;
        }
      },
      async (end) => (end === null ? { isOpen: true } : finish(end)),
    );
  return {
    ending,
    signedIn,
    isNew,
    steps,
    switchForm: () => {
      setIsNew(!isNew);
      steps.clear();
    },
    submit: () => {
      const names = missing(isNew);
      if (names.length > 0) steps.markAll(names);
      else take(enter);
    },
    accept: () => take(acceptLink),
    leave: () =>
      void attempt(signOut, async () => {
        setSignedIn(await readSignedIn().catch(() => signedIn));
        return { isOpen: true };
      }),
  };
}

export type AccountState = ReturnType<typeof useAccount>;
