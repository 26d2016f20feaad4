import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Document } from '../../ui/documents.ts';
import { usePage } from '../data/current-page.ts';
import { once } from '../data/once.ts';
import { NoAnswer, Rejection, run, Said } from '../data/service.ts';
import type { Due } from '../data/stripe.ts';
import { type Reloaded, useSteps } from '../data/use-steps.ts';
import { moneyText } from '../format.ts';
import { billingFields } from '../parts/billing.tsx';
import { cardFields } from '../parts/card-entry.tsx';
import type { CardInput } from '../parts/use-card.ts';
import { useOwn } from './own.ts';
import type { Frame } from './sections/kind.ts';
import { AuthenticateDocument, PreviewDocument, type PreviewQueryVariables } from './steps.graphql';
import { costText, type Preview } from './texts.ts';
import { useSections } from './use-sections.ts';

/** Reads the card that was typed in, as the service wants it; null for the stored one. */
export type ReadCard = (() => Promise<CardInput>) | null;

/** A mutation of the portal; the session is added to its input. */
type Mutation<Result, Input> = Document<
  Result,
  { readonly input: Input & { readonly token?: string | null | undefined } }
>;

/** What a customer is asked before something is done. */
export type Asking = {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  /** What is charged with the card that is typed in, 0 where it is only stored; null where no card is. */
  readonly cardFor: Due | null;
  readonly act: (readCard: ReadCard) => void;
  /** What is shown below the text. */
  readonly details?: ComponentChildren;
  /** What else can be answered. */
  readonly otherwise?: { readonly label: string; readonly act: () => void };
};

type Action = PreviewQueryVariables['action'];

/** What follows on a step. */
type Outcome<Result> = {
  /** What is said once it is done. */
  readonly done: string;
  /** Whether a card was typed in for it, which stays in its dialog until the step went well. */
  readonly isCardTyped?: boolean;
  /** What is done next. */
  readonly next?: ((result: Result) => void) | undefined;
  /** What is done next where the bank wants the card confirmed first. */
  readonly onBank?: () => void;
};

/** Something that is done after its costs were shown. */
type Purchase<Result, Input extends object> = {
  /** The member of the preview it is named by, and the name of the step. */
  readonly action: keyof Action;
  readonly mutation: Mutation<Result, Input>;
  readonly input: Input;
  readonly title: string;
  /** What is said before the costs. */
  readonly before?: string;
  /** The label of the button where nothing is charged. */
  readonly label: string;
  readonly done: string;
  readonly next?: (result: Result) => void;
};

const fields = ['fullName', ...cardFields, ...billingFields, 'line2', 'topup'];

/** The steps of a customer in the section that is shown. */
function useTaken(first: Frame) {
  const { token } = usePage();
  const own = useOwn();
  const steps = useSteps(fields, (error) => {
    const codes: Readonly<Record<string, string>> = own.codes;
    return (error instanceof Rejection ? codes[error.code] : undefined) ?? null;
  });
  const [said, setSaid] = useState('');
  const [asking, setAsking] = useState<Asking | null>(null);
  const clear = (): void => {
    setSaid('');
    setAsking(null);
    steps.complain(null);
  };
  const sections = useSections(first, steps, clear);
  const { shown, read } = sections;

  /** Does something, shows what is true afterwards however it went, and says how it went. */
  function attempt<Result>(
    step: () => Promise<Result>,
    { done, isCardTyped = false, next, onBank }: Outcome<Result>,
  ): void {
    setSaid('');
    let follow: (() => void) | undefined;
    const reload = async (result: Result | null): Promise<Reloaded> => {
      const portal = await read(shown.name);
      if (result !== null || !isCardTyped) setAsking(null);
      if (result === null) return { isOpen: portal === 'ended' ? false : null };
      if (typeof portal === 'object' && portal.subscription?.authentication != null) {
        onBank?.();
        return { isOpen: true };
      }
      setSaid(done);
      follow = () => next?.(result);
      return { isOpen: true, focus: 'title' };
    };
    void steps.attempt(step, reload).then(() => follow?.());
  }

  /** Sends a mutation once. */
  const send = <Result, Input extends object>(
    action: string,
    mutation: Mutation<Result, Input>,
    input: Input,
  ): Promise<Result> => once({ action, mutation, input: { ...input, token }, onWait: steps.onWait });

  /** Finds out what an action would lead to, by what is true now, and goes on with it. */
  function preview(action: Action, next: (preview: Preview) => void): void {
    setSaid('');
    const step = async (): Promise<Preview> => {
      try {
        return (await run(PreviewDocument, { token, action })).portalPreview;
      } catch (error) {
        throw error instanceof NoAnswer ? new Said(own.unreachable) : error;
      }
    };
    const reload = async (known: Preview | null): Promise<Reloaded> => {
      if (known === null) return { isOpen: (await read(shown.name)) === 'ended' ? false : null };
      next(known);
      return { isOpen: true };
    };
    void steps.attempt(step, reload);
  }
  return { ...sections, steps, said, asking, ask: setAsking, attempt, send, preview };
}

/** The portal as the service has it, and what a customer does in it. */
export function usePortal(first: Frame) {
  const page = usePage();
  const own = useOwn();
  const taken = useTaken(first);
  const { shown, attempt, send } = taken;
  /** What the customer has agreed to buy as soon as the bank has confirmed the card. */
  const afterBank = useRef<(() => void) | null>(null);

  /** Asks whether the customer agrees to what it costs, and buys; without a stored card one is typed in with the answer. */
  function buy<Result, Input extends object>(purchase: Purchase<Result, Input>): void {
    const { action, input, mutation, title, before = '', label, done, next } = purchase;
    const act = (readCard: ReadCard): void =>
      attempt(async () => send(action, mutation, { ...input, ...(await readCard?.()) }), {
        done,
        isCardTyped: readCard !== null,
        next,
        onBank: () => {
          afterBank.current = () => act(null);
        },
      });
    // One member, named by the action, with the input of its mutation: more than the compiler follows.
    taken.preview({ [action]: input } as unknown as Action, (foreseen) => {
      const card = shown.portal.subscription?.paymentMethod ?? null;
      const { amountDue, currency, requiresCheckout } = foreseen;
      taken.ask({
        title,
        text: `${before} ${costText({ page, own }, foreseen, card)}`.trim(),
        label: amountDue > 0 ? own.costs.pay(moneyText(page, foreseen, amountDue)) : label,
        cardFor: card === null && amountDue > 0 && !requiresCheckout ? { amount: amountDue, currency } : null,
        act,
      });
    });
  }

  /** Tells the service what the customer answered the bank; what was agreed to with this card is bought afterwards. */
  function answerBank(succeed: boolean, ask: () => Promise<void>): void {
    const isPayment = (shown.portal.subscription?.authentication?.amount ?? 0) > 0;
    const agreed = afterBank.current;
    afterBank.current = null;
    const step = async () => {
      await ask();
      return send('authenticate', AuthenticateDocument, { succeed });
    };
    attempt(step, { done: isPayment ? own.overview.paid : own.cards.added, next: () => agreed?.() });
  }
  return { ...taken, buy, answerBank };
}

export type PortalActions = ReturnType<typeof usePortal>;
