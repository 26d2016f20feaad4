import { useRef, useState } from 'preact/hooks';
import type { ResultOf } from '../../ui/documents.ts';
import { usePage } from '../data/current-page.ts';
import { isChecked, typed, typedAddress, typedOf } from '../data/field-values.ts';
import { loadCode } from '../data/lazy-code.ts';
import { Rejection, run } from '../data/service.ts';
import { type PageActions, type Reloaded, usePageActions } from '../data/use-page-actions.ts';
import type { MissingPlace } from '../format.ts';
import { billingFields } from '../parts/billing.tsx';
import { cardFields } from '../parts/card-entry.tsx';
import { type Card, useCard, useSavedCard } from '../parts/use-card.ts';
import { ConfirmLinkDocument, PayLinkDocument, PayPageDocument } from './page.graphql';

export type PayPageData = ResultOf<typeof PayPageDocument>;
export type Link = PayPageData['paymentLink'];
type Outcome = ResultOf<typeof PayLinkDocument>['paymentLinkPay'];

const fields = ['email', ...cardFields, ...billingFields];

/** Returns the entered address fields that the tax depends on. */
const typedPlace = () => typedOf('country', 'state', 'taxDocument');

export const isPayable = ({ nextStep, status }: Link): boolean =>
  status !== 'succeeded' && (nextStep === 'pay' || nextStep === 'authenticate');

const isOver = ({ status }: Link): boolean => status === 'succeeded' || status === 'canceled';

/** Returns the address fields that the tax calculation for the entered country still requires. */
const missingOf = ({ requiresBillingCountry, nextStep, tax }: Link, country: string): MissingPlace => {
  if (nextStep !== 'pay') return null;
  return requiresBillingCountry && country === '' ? 'country' : tax === null ? 'state' : null;
};

/** Returns the amount due. Excludes tax if the tax isn't known yet. */
export const dueOf = ({ amountSubtotal, amountTotal }: Link, missing: MissingPlace): number =>
  missing === null ? amountTotal : amountSubtotal;

type StepParts = {
  readonly token: string;
  readonly link: Link;
  readonly steps: PageActions;
  readonly card: Card;
  /** Token of the payment that the payer starts. `null` if the payer pays by card. */
  readonly paymentMethod: string | null;
};

/** Returns the actions for a payment link. Each action takes effect once and then updates the state with `reload`. */
function stepsOf(
  { token, link, steps, card, paymentMethod }: StepParts,
  reload: (outcome: Outcome | null) => Promise<Reloaded>,
) {
  const pay = (): void =>
    void steps.attempt(
      async () => {
        const billingAddress = typedAddress();
        const input = {
          token,
          ...(paymentMethod === null ? await card.read() : { paymentMethod }),
          saveCard: link.saveCard === 'always' || isChecked('saveCard'),
          ...typedOf('email', 'taxDocument', 'companyName'),
          ...(billingAddress === null ? {} : { billingAddress }),
        };
        const { onWait } = steps;
        return (await loadCode()).mutate({ action: 'pay', mutation: PayLinkDocument, input, onWait });
      },
      (result) => reload(result?.paymentLinkPay ?? null),
    );
  const answer = (succeed: boolean, ask: () => Promise<void>): void =>
    void steps.attempt(
      async () => {
        await ask();
        const { onWait } = steps;
        return (await loadCode()).mutate({
          action: 'authenticate',
          mutation: ConfirmLinkDocument,
          input: { token, succeed },
          onWait,
        });
      },
      (result) => reload(result?.paymentLinkAuthenticate ?? null),
    );
  return { pay, answer };
}

/** Manages the way to pay. `paymentMethod` is `null` if the payer pays by card. */
function useChoice({ instruments }: Link) {
  const [instrument, setInstrument] = useState('card');
  const paymentMethod = instruments.find((each) => each.instrument === instrument)?.paymentMethod ?? null;
  return { paymentMethod, choice: { instrument, choose: setInstrument, isPush: paymentMethod !== null } };
}

/** Manages the card fields of a payment link. */
function useLinkCard(link: Link, steps: PageActions, savesCard: boolean): Card {
  const saved = useSavedCard(link.savedMethod, !link.livemode);
  return useCard(
    {
      publishableKey: isOver(link) ? null : link.publishableKey,
      seller: link.branding.name,
      due: { amount: link.amountTotal, currency: link.currency, isOneOff: !savesCard },
      steps,
    },
    saved,
  );
}

/** Manages a payment link and the actions that pay it. */
export function usePayment(first: Link) {
  const page = usePage();
  const { token } = page;
  const [link, setLink] = useState(first);
  const [isPaidNow, setIsPaidNow] = useState(false);
  const [receipt, setReceipt] = useState<string | null>(null);
  const [missing, setMissing] = useState(missingOf(first, ''));
  const [savesCard, setSavesCard] = useState(first.saveCard === 'always');
  const steps = usePageActions(fields);
  const card = useLinkCard(link, steps, savesCard);
  const { choice, paymentMethod } = useChoice(link);
  // Sequence number of price requests. A late response is ignored if a newer request was sent.
  const requested = useRef(0);

  const show = (next: Link): void => {
    setLink(next);
    setMissing(missingOf(next, typed('country')));
  };
  const read = async (): Promise<Link> =>
    (await run(PayPageDocument, { token, ...typedPlace() })).paymentLink;

  /** Reloads the state. If the reload fails, the page doesn't change. */
  async function reload(outcome: Outcome | null): Promise<Reloaded> {
    const isPaid = outcome?.status === 'paid';
    if (isPaid) setIsPaidNow(true);
    if (outcome != null) setReceipt(outcome.receiptUrl);
    let next: Link | null = null;
    try {
      next = await read();
    } catch {
      if (!isPaid) return { isOpen: null };
      next = { ...link, status: 'succeeded', nextStep: 'none' };
    }
    // The payment that the page waited for arrived.
    if (next.status === 'succeeded' && link.collection !== null) setIsPaidNow(true);
    show(next);
    if (next.status === 'succeeded') return { isOpen: false, focus: 'title' };
    return {
      isOpen: isPayable(next),
      ...(next.nextStep === 'authenticate' ? { focus: 'confirm' } : {}),
    };
  }

  /**
   * Updates the amounts for the entered address. Replaces the card fields if another Stripe account charges customers in the entered
   * country.
   */
  async function reprice(): Promise<void> {
    const turn = ++requested.current;
    try {
      const next = await read();
      if (turn !== requested.current) return;
      steps.complain(null);
      show(next);
    } catch (error) {
      // If there's no response, the amounts don't change. The pay button then shows the amount to be charged.
      if (turn === requested.current && error instanceof Rejection) steps.reject(error);
    }
  }

  return {
    link,
    isPaidNow,
    receipt,
    missing,
    savesCard,
    setSavesCard,
    steps,
    card,
    reload,
    reprice,
    choice,
    ...stepsOf({ token, link, steps, card, paymentMethod }, reload),
  };
}

export type Payment = ReturnType<typeof usePayment>;
