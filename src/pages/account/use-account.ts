import { useEffect, useState } from 'preact/hooks';
import { useArea, usePage } from '../data/current-page.ts';
import { fieldElement, typed } from '../data/field-values.ts';
import { NoAnswer, Rejection } from '../data/service.ts';
import { usePageActions } from '../data/use-page-actions.ts';
import type { Areas } from '../words/areas.ts';
import { readSignedIn, signIn, signOut, signUp } from './account.ts';

type Words = Areas['account'];

export type AccountLink = {
  readonly organizationName: string;
  readonly status: 'open' | 'claimed' | 'expired';
  /** Invited email address and role. `null` for a claim link, which any user can accept. */
  readonly invited: { readonly email: string; readonly role: keyof Words['roles'] } | null;
};

/** Final state of the account page: its text and link. */
export type Ending = {
  readonly text: string;
  /** True if the user is now a member of the organization. */
  readonly isDone: boolean;
  /** True to link to the dashboard: for members, and for organizations that already have an owner. */
  readonly hasDashboard: boolean;
};

const done = (text: string): Ending => ({ text, isDone: true, hasDashboard: true });
const taken = (text: string): Ending => ({ text, isDone: false, hasDashboard: true });
const invalid = (text: string): Ending => ({ text, isDone: false, hasDashboard: false });

/** Accepts the link with this token as the signed-in user. */
export type Accept = (token: string) => Promise<unknown>;

const fields = ['name', 'email', 'password'];

const codeOf = (error: unknown): string | null => (error instanceof Rejection ? error.code : null);

/** Returns the final state for a link that can't be accepted. `null` if the page shows its form. */
function firstEnding(words: Words, { status }: AccountLink): Ending | null {
  if (status === 'claimed') return taken(words.claimed);
  return status === 'expired' ? invalid(words.expired) : null;
}

/** Returns the final state after a rejection. `null` if the user can continue. */
function endingWith(words: Words, { organizationName }: AccountLink, code: string | null): Ending | null {
  if (code === 'organization_already_claimed') return taken(words.claimedMeanwhile);
  if (code === 'claim_not_pending' || code === 'not_found') return invalid(words.invalidByNow);
  return code === 'duplicate' ? done(words.belongsAlready({ organization: organizationName })) : null;
}

/** Returns the names of incomplete fields. */
const missing = (isNew: boolean): string[] => [
  ...(isNew && typed('name') === '' ? ['name'] : []),
  ...(/^[^@\s]+@[^@\s]+$/.test(typed('email')) ? [] : ['email']),
  ...((fieldElement('password')?.value.length ?? 0) < (isNew ? 10 : 1) ? ['password'] : []),
];

/** Manages the acceptance of a claim or invitation link, with an existing or new account. */
export function useAccount(link: AccountLink, accept: Accept) {
  const { token } = usePage();
  const words = useArea('account');
  const [ending, setEnding] = useState(firstEnding(words, link));
  const [signedIn, setSignedIn] = useState<string | null>(null);
  const [isNew, setIsNew] = useState(true);
  const steps = usePageActions(fields, (error) => {
    if (error instanceof NoAnswer) return words.noAnswer;
    if (codeOf(error) === 'reauthentication_required') return words.passwordAgain;
    if (codeOf(error) === 'unauthorized') return isNew ? words.knownAddress : words.wrongPassword;
    return codeOf(error) === 'rate_limited' || codeOf(error) === 'validation_error' ? null : words.failed;
  });
  const { attempt } = steps;

  useEffect(() => {
    if (ending !== null) return;
    // If there's no response, the page shows the form.
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
    return done((invited === null ? words.owns : words.belongs)({ organization: organizationName }));
  };
  const enter = async (): Promise<Ending> => {
    const proof = { email: typed('email'), password: fieldElement('password')?.value ?? '' };
    if (isNew) await signUp({ name: typed('name'), ...proof });
    await signIn(proof);
    return acceptLink();
  };
  /**
   * Runs a step that can complete the page. If the email address already has an account, the form continues with the account's password.
   */
  const take = (step: () => Promise<Ending>): void =>
    void attempt(
      async () => {
        try {
          return await step();
        } catch (error) {
          if (isNew && codeOf(error) === 'unauthorized') setIsNew(false);
          if (codeOf(error) === 'reauthentication_required') {
            setIsNew(false);
            setSignedIn(null);
          }
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
