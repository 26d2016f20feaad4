import { useRef, useState } from 'preact/hooks';
import type { ResultOf } from '../../ui/documents.ts';
import { usePage } from '../data/current-page.ts';
import { isChecked, typed, typedBilling, typedOf } from '../data/field-values.ts';
import { loadCode } from '../data/lazy-code.ts';
import { needsState, Rejection, run } from '../data/service.ts';
import { type PageActions, type Reloaded, usePageActions } from '../data/use-page-actions.ts';
import type { MissingPlace } from '../format.ts';
import { billingFields } from '../parts/billing.tsx';
import { cardFields } from '../parts/card-entry.tsx';
import { type Card, useCard, useSavedCard } from '../parts/use-card.ts';
import {
  ChangeCheckoutDocument,
  CheckoutPageDocument,
  ConfirmCheckoutDocument,
  PayDocument,
  QuoteDocument,
} from './page.graphql';

export type CheckoutPageData = ResultOf<typeof CheckoutPageDocument>;
export type Checkout = CheckoutPageData['checkout'];
type Quote = ResultOf<typeof QuoteDocument>['checkoutQuote'];
type Interval = Checkout['intervals'][number]['billingInterval'];

/** Change to the billing interval or to the number of seats of the checkout. */
type Change = { readonly billingInterval: Interval } | { readonly seats: Readonly<Record<string, number>> };

const fields = [...cardFields, 'routingNumber', 'accountNumber', ...billingFields, 'consent', 'promoCode'];

export const isPayable = ({ status, nextStep }: Checkout): boolean =>
  status === 'open' && nextStep !== 'wait' && nextStep !== 'none';

/** Returns the entered country. Falls back to the country selected in the sandbox. */
const typedCountry = (): string => typed('country') || typed('viewedCountry');

/** Returns the entered address. The sandbox's selected country replaces a missing country, so that the displayed price is charged. */
function typedPlace(): ReturnType<typeof typedBilling> {
  const billing = typedBilling();
  const country = typedCountry();
  if (country === '' || billing.billingAddress !== undefined) return billing;
  const { phone } = billing;
  return { billingAddress: { country, ...(phone === undefined ? {} : { phone }) } };
}

/** Returns the entered values that affect the price. */
const typedTerms = (promoCode: string | null) => ({
  ...(typedCountry() === '' ? {} : { country: typedCountry() }),
  ...typedOf('state', 'taxDocument'),
  ...(promoCode === null ? {} : { promoCode }),
});

/** Manages the applied promo code and its discount. */
function usePromo() {
  const [applied, setApplied] = useState<string | null>(null);
  // Holds the promo code for steps that run between two renders.
  const current = useRef<string | null>(null);
  return {
    applied,
    current,
    set: (code: string | null): void => {
      current.current = code;
      setApplied(code);
    },
  };
}

/** Returns the address fields that the tax calculation for the entered country still requires. */
const missingOf = ({ requiresBillingCountry, nextStep }: Checkout, country: string): MissingPlace =>
  requiresBillingCountry && nextStep === 'pay' && country === '' ? 'country' : null;

/** Manages the checkout and its price for the entered values. */
function useOrder(first: Checkout) {
  const page = usePage();
  const { token, language } = page;
  const [checkout, setCheckout] = useState(first);
  const [quote, setQuote] = useState<Quote | null>(null);
  const [missing, setMissing] = useState(missingOf(first, ''));
  const promo = usePromo();
  return {
    checkout,
    /** Checkout with the price for the entered values. */
    shown: quote === null ? checkout : { ...checkout, ...quote },
    missing,
    promo,
    show: (next: Checkout, nextQuote: Quote | null): void => {
      setCheckout(next);
      setQuote(nextQuote);
      setMissing(missingOf(next, typedCountry()));
    },
    /** Shows the price before tax, and the address fields that are still missing. */
    showUntaxed: (next: MissingPlace): void => {
      setQuote(null);
      setMissing(next);
    },
    read: async (): Promise<Checkout> =>
      (await run(CheckoutPageDocument, { token, link: language, country: typedCountry() || null })).checkout,
    /** Returns the price for the entered values. `null` if the values don't affect the price. */
    readQuote: async (promoCode: string | null): Promise<Quote | null> => {
      const terms = typedTerms(promoCode);
      if (Object.keys(terms).length === 0) return null;
      return (await run(QuoteDocument, { input: { token, ...terms }, link: language })).checkoutQuote;
    },
  };
}

type Order = ReturnType<typeof useOrder>;

/** Updates the price while the customer enters values, and shows errors at their fields. */
function useTyping({ checkout, promo, show, showUntaxed, readQuote }: Order, steps: PageActions) {
  // Sequence number of price requests. A late response is ignored if a newer request was sent.
  const requested = useRef(0);

  /** Updates the price for the entered values. If the promo code is rejected, removes it and shows the error at its field. */
  async function reprice(promoCode: string | null = promo.current.current): Promise<void> {
    const turn = ++requested.current;
    try {
      const quote = await readQuote(promoCode);
      if (turn !== requested.current) return;
      steps.complain(null);
      promo.set(promoCode);
      show(checkout, quote);
    } catch (error) {
      // If there's no response, the amounts don't change. The pay button then shows the amount to be charged.
      if (turn !== requested.current || !(error instanceof Rejection)) return;
      if (needsState(error)) {
        steps.complain(null);
        return showUntaxed('state');
      }
      const lazyCode = await loadCode().catch(() => null);
      if (lazyCode === null || promoCode === null || !lazyCode.isAboutPromoCode(error)) {
        // The displayed price was calculated for the previous address.
        showUntaxed('country');
        return steps.reject(error);
      }
      promo.set(null);
      await reprice(null);
      steps.mark('promoCode', lazyCode.promoSentence(lazyCode.words, error));
    }
  }

  /** Shows an error if the tax ID doesn't match the country. */
  const checkTaxNumber = (): Promise<void> =>
    loadCode().then(
      (code) => code.checkTaxNumber(code.words, steps.mark),
      () => undefined,
    );
  return { requested, reprice, checkTaxNumber };
}

/** Returns the steps of the checkout. Each step takes effect once and then updates the state with `reload`. */
function stepsOf(
  {
    token,
    order,
    steps,
    card,
    chosen,
  }: {
    readonly token: string;
    readonly order: Order;
    readonly steps: PageActions;
    readonly card: Card;
    /** Bank debit or payment by the payer. `null` if the payer pays by card. */
    readonly chosen: Checkout['instruments'][number] | null;
  },
  reload: (outcome: string | null) => Promise<Reloaded>,
) {
  const { promo, checkout } = order;
  const { onWait } = steps;
  const readMethod = async () => {
    if (chosen === null) return card.read();
    const { paymentMethod } = chosen;
    return paymentMethod === null ? (await loadCode()).typedAccount(chosen) : { paymentMethod };
  };
  const pay = async () => {
    const promoCode = promo.current.current ?? typed('promoCode');
    const input = {
      token,
      ...(await readMethod()),
      ...typedOf('taxDocument', 'companyName'),
      ...(promoCode === '' ? {} : { promoCode }),
      ...typedPlace(),
      ...(checkout.settings.consent ? { consent: isChecked('consent') } : {}),
    };
    const { mutate, isAboutPromoCode } = await loadCode();
    try {
      return await mutate({ action: 'pay', mutation: PayDocument, input, onWait });
    } catch (error) {
      // Shows the promo code field again, with the error.
      if (error instanceof Rejection && isAboutPromoCode(error)) promo.set(null);
      throw error;
    }
  };
  const change = async (part: Change) => {
    const input = { token, ...part };
    return (await loadCode()).mutate({
      action: 'change',
      mutation: ChangeCheckoutDocument,
      input,
      onWait,
    });
  };
  const answer = async (succeed: boolean, ask: () => Promise<void>) => {
    await ask();
    const input = { token, succeed };
    return (await loadCode()).mutate({
      action: 'authenticate',
      mutation: ConfirmCheckoutDocument,
      input,
      onWait,
    });
  };
  return {
    pay: () => void steps.attempt(pay, (result) => reload(result?.checkoutPay.status ?? null)),
    change: (part: Change) =>
      void steps.attempt(
        () => change(part),
        () => reload(null),
      ),
    answer: (succeed: boolean, ask: () => Promise<void>) =>
      void steps.attempt(
        () => answer(succeed, ask),
        (result) => reload(result?.checkoutAuthenticate.status ?? null),
      ),
  };
}

/** Manages a checkout and the steps that complete it. */
export function useCheckout(first: Checkout) {
  const { token } = usePage();
  const order = useOrder(first);
  const { checkout, shown, promo } = order;
  const [isPaidNow, setIsPaidNow] = useState(false);
  const steps = usePageActions(fields);
  const saved = useSavedCard(checkout.savedMethod, !checkout.livemode);
  const card = useCard(
    {
      publishableKey: checkout.status === 'open' ? shown.publishableKey : null,
      seller: checkout.branding.name,
      due: { amount: shown.amountDue, currency: shown.currency },
      steps,
    },
    saved,
  );
  const { requested, reprice, checkTaxNumber } = useTyping(order, steps);
  const [instrument, setInstrument] = useState('card');
  const chosen =
    shown.instruments.find((each) => each.instrument === instrument && each.instrument !== 'card') ?? null;

  /** Reloads the state. If the reload fails, the page doesn't change. */
  async function reload(outcome: string | null): Promise<Reloaded> {
    const isPaid = outcome === 'paid';
    const turn = ++requested.current;
    if (isPaid) setIsPaidNow(true);
    let next: Checkout;
    try {
      next = await order.read();
    } catch {
      if (!isPaid) return { isOpen: null };
      next = { ...checkout, status: 'paid', nextStep: 'none' };
    }
    // The payment that the page waited for arrived.
    if (next.status === 'paid' && checkout.collection !== null) setIsPaidNow(true);
    const quote =
      next.nextStep === 'pay' ? await order.readQuote(promo.current.current).catch(() => null) : null;
    if (turn === requested.current) order.show(next, quote);
    if (next.status === 'paid') return { isOpen: false, focus: 'title' };
    return { isOpen: isPayable(next), ...(next.nextStep === 'authenticate' ? { focus: 'confirm' } : {}) };
  }
  const taken = stepsOf({ token, order, steps, card, chosen }, reload);
  const choice = { instrument: chosen?.instrument ?? 'card', choose: setInstrument, chosen };
  return { ...order, ...taken, isPaidNow, steps, card, choice, reload, reprice, checkTaxNumber };
}

export type Checking = ReturnType<typeof useCheckout>;
