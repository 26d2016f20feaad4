import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Document } from '../../ui/documents.ts';
import { usePage } from '../data/current-page.ts';
import { mutate } from '../data/idempotent-mutation.ts';
import { DisplayedError, NoAnswer, Rejection, run } from '../data/service.ts';
import type { Due } from '../data/stripe-terms.ts';
import { type Reloaded, usePageActions } from '../data/use-page-actions.ts';
import { moneyText } from '../format.ts';
import { billingFields } from '../parts/billing.tsx';
import { cardFields } from '../parts/card-entry.tsx';
import type { CardInput } from '../parts/use-card.ts';
import { useOwn } from './portal-words.ts';
import type { Frame } from './sections/kind.ts';
import { AuthenticateDocument, PreviewDocument, type PreviewQueryVariables } from './steps.graphql';
import { costText, type Preview } from './texts.ts';
import { useSections } from './use-sections.ts';

/** Returns the entered card as input for the service. `null` if the saved card is used. */
export type ReadCard = (() => Promise<CardInput>) | null;

/** Mutation of the portal. The session's token is added to its input. */
type Mutation<Result, Input> = Document<
  Result,
  { readonly input: Input & { readonly token?: string | null | undefined } }
>;

/** Confirmation before an action. */
export type Asking = {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  /** Charge for the entered card. Its amount is 0 if the card is only stored. `null` if no card is entered. */
  readonly cardFor: Due | null;
  readonly act: (readCard: ReadCard) => void;
  readonly details?: ComponentChildren;
  /** Button for an alternative action, such as canceling despite an offer. */
  readonly otherwise?: { readonly label: string; readonly act: () => void };
};

type Action = PreviewQueryVariables['action'];

/** Success message and callbacks of an action. */
type Outcome<Result> = {
  /** Message shown after the action succeeds. */
  readonly done: string;
  /** True if a card was entered for the action. Its dialog stays open until the action succeeds. */
  readonly isCardTyped?: boolean;
  /** Called with the result after the action succeeds. */
  readonly next?: ((result: Result) => void) | undefined;
  /** Called if the customer must first confirm the card with the bank. */
  readonly onBank?: () => void;
};

/** Action that runs after the customer has confirmed its costs. */
type Purchase<Result, Input extends object> = {
  /** Name of the action, which is also the preview's input field. */
  readonly action: keyof Action;
  readonly mutation: Mutation<Result, Input>;
  readonly input: Input;
  readonly title: string;
  /** Text that the confirmation shows above the costs. */
  readonly before?: string;
  /** Button label if nothing is charged now. */
  readonly label: string;
  readonly done: string;
  readonly next?: (result: Result) => void;
};

const fields = [
  'fullName',
  ...cardFields,
  ...billingFields,
  'line2',
  'topup',
  'autoThreshold',
  'autoAmount',
  'autoMost',
  'capAmount',
  'raiseAmount',
  'budgetAmount',
];

/** Manages the actions in the current section. */
function useTaken(first: Frame) {
  const { token, merchant } = usePage();
  const own = useOwn();
  const steps = usePageActions(fields, (error) => {
    const codes: Readonly<Record<string, string | typeof own.ended>> = own.codes;
    const text = error instanceof Rejection ? codes[error.code] : undefined;
    return typeof text === 'function' ? text({ merchant }) : (text ?? null);
  });
  const [message, setMessage] = useState('');
  const [asking, setAsking] = useState<Asking | null>(null);
  const clear = (): void => {
    setMessage('');
    setAsking(null);
    steps.complain(null);
  };
  const sections = useSections(first, steps, clear);
  const { shown, read } = sections;

  /** Runs an action, reloads the state afterwards, and shows the result. */
  function attempt<Result>(
    step: () => Promise<Result>,
    { done, isCardTyped = false, next, onBank }: Outcome<Result>,
  ): void {
    setMessage('');
    let follow: (() => void) | undefined;
    const reload = async (result: Result | null): Promise<Reloaded> => {
      const portal = await read(shown.name);
      if (result !== null || !isCardTyped) setAsking(null);
      if (result === null) return { isOpen: portal === 'ended' ? false : null };
      if (typeof portal === 'object' && portal.subscription?.authentication != null) {
        onBank?.();
        return { isOpen: true };
      }
      setMessage(done);
      follow = () => next?.(result);
      return { isOpen: true, focus: 'title' };
    };
    void steps.attempt(step, reload).then(() => follow?.());
  }

  /** Sends a mutation that takes effect only once, even if it's sent again. */
  const send = <Result, Input extends object>(
    action: string,
    mutation: Mutation<Result, Input>,
    input: Input,
  ): Promise<Result> => mutate({ action, mutation, input: { ...input, token }, onWait: steps.onWait });

  /** Previews an action for the current state and passes the result to `next`. */
  function preview(action: Action, next: (preview: Preview) => void): void {
    setMessage('');
    const step = async (): Promise<Preview> => {
      try {
        return (await run(PreviewDocument, { token, action })).portalPreview;
      } catch (error) {
        throw error instanceof NoAnswer ? new DisplayedError(own.unreachable) : error;
      }
    };
    const reload = async (known: Preview | null): Promise<Reloaded> => {
      if (known === null) return { isOpen: (await read(shown.name)) === 'ended' ? false : null };
      next(known);
      return { isOpen: true };
    };
    void steps.attempt(step, reload);
  }
  return { ...sections, steps, message, asking, ask: setAsking, attempt, send, preview };
}

/** Manages the portal and the customer's actions. */
export function usePortal(first: Frame) {
  const page = usePage();
  const own = useOwn();
  const taken = useTaken(first);
  const { shown, attempt, send } = taken;
  /** Purchase that continues after the bank has confirmed the card. */
  const afterBank = useRef<(() => void) | null>(null);

  /** Asks the customer to confirm the costs, then completes the purchase. If there's no saved card, the dialog has card fields. */
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
    // The object has one field: the mutation's input under the name of the action. The compiler can't check that the two match.
    taken.preview({ [action]: input } as unknown as Action, (foreseen) => {
      const card = shown.portal.subscription?.paymentMethod ?? null;
      const { amountDue, currency, requiresCheckout } = foreseen;
      taken.ask({
        title,
        text: `${before} ${costText({ page, own }, foreseen, card)}`.trim(),
        label: amountDue > 0 ? own.costs.pay({ amount: moneyText(page, foreseen, amountDue) }) : label,
        cardFor: card === null && amountDue > 0 && !requiresCheckout ? { amount: amountDue, currency } : null,
        act,
      });
    });
  }

  /** Sends the customer's decision at the bank to the service, and then completes the purchase with the confirmed card. */
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
