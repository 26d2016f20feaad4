import { useRef, useState } from 'preact/hooks';
import type { ResultOf } from '../../ui/documents.ts';
import { usePage } from '../data/current-page.ts';
import { acting } from '../data/late.ts';
import { Rejection, run } from '../data/service.ts';
import { isChecked, typed, typedBilling, typedOf } from '../data/typed.ts';
import { type Reloaded, type Steps, useSteps } from '../data/use-steps.ts';
import { billingFields } from '../parts/billing.tsx';
import { cardFields } from '../parts/card-entry.tsx';
import { type Card, useCard, useSavedCard } from '../parts/use-card.ts';
import {
  ChangeCheckoutDocument,
  CheckoutPageDocument,
  CheckTaxNumberDocument,
  ConfirmCheckoutDocument,
  PayDocument,
  QuoteDocument,
} from './page.graphql';

export type CheckoutPageData = ResultOf<typeof CheckoutPageDocument>;
export type Checkout = CheckoutPageData['checkout'];
type Quote = ResultOf<typeof QuoteDocument>['checkoutQuote'];
type Interval = Checkout['intervals'][number]['billingInterval'];

/** What a payer chooses of the order. */
export type Change =
  | { readonly billingInterval: Interval }
  | { readonly seats: Readonly<Record<string, number>> };

const fields = [...cardFields, ...billingFields, 'consent', 'promoCode'];

export const isPayable = ({ status, nextStep }: Checkout): boolean =>
  status === 'open' && nextStep !== 'wait' && nextStep !== 'none';

/** The country of the payer, as far as it is typed in, or in the sandbox the one the page is looked at from. */
const typedCountry = (): string => typed('country') || typed('viewedCountry');

/** The address typed in; in the sandbox with the country the page is looked at from, so that what is shown is charged. */
function typedPlace(): ReturnType<typeof typedBilling> {
  const billing = typedBilling();
  const country = typedCountry();
  if (country === '' || billing.billingAddress !== undefined) return billing;
  const { phone } = billing;
  return { billingAddress: { country, ...(phone === undefined ? {} : { phone }) } };
}

/** What is typed in that the price depends on. */
const typedTerms = (promoCode: string | null) => ({
  ...(typedCountry() === '' ? {} : { country: typedCountry() }),
  ...typedOf('state', 'taxDocument'),
  ...(promoCode === null ? {} : { promoCode }),
});

/** The promo code of the order: the one applied, and its saving is shown; or none. */
function usePromo() {
  const [applied, setApplied] = useState<string | null>(null);
  // Steps read it between two renderings.
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

/** The checkout as the service has it, and its price with what is typed in. */
function useOrder(first: Checkout) {
  const page = usePage();
  const { token, language } = page;
  const [checkout, setCheckout] = useState(first);
  const [quote, setQuote] = useState<Quote | null>(null);
  const [isTaxOpen, setIsTaxOpen] = useState(first.requiresBillingCountry);
  const promo = usePromo();
  return {
    checkout,
    /** With the price for what is typed in. */
    shown: quote === null ? checkout : { ...checkout, ...quote },
    isTaxOpen,
    promo,
    show: (next: Checkout, nextQuote: Quote | null): void => {
      setCheckout(next);
      setQuote(nextQuote);
      setIsTaxOpen(next.requiresBillingCountry && typedCountry() === '');
    },
    read: async (): Promise<Checkout> =>
      (await run(CheckoutPageDocument, { token, link: language, country: typedCountry() || null })).checkout,
    /** The price with what is typed in; null where nothing is that changes it. */
    readQuote: async (promoCode: string | null): Promise<Quote | null> => {
      const terms = typedTerms(promoCode);
      if (Object.keys(terms).length === 0) return null;
      return (await run(QuoteDocument, { input: { token, ...terms }, link: language })).checkoutQuote;
    },
  };
}

type Order = ReturnType<typeof useOrder>;

/** What happens while the payer types: the price follows, and what cannot be right is said beside its field. */
function useTyping({ checkout, promo, show, readQuote }: Order, steps: Steps) {
  const { words } = usePage();
  // Counts the prices requested, so that a late answer does not replace a newer one.
  const requested = useRef(0);

  /** Shows the price with what is typed in. A promo code that cannot be used is said beside its field, and left out. */
  async function reprice(promoCode: string | null = promo.current.current): Promise<void> {
    const turn = ++requested.current;
    try {
      const quote = await readQuote(promoCode);
      if (turn !== requested.current) return;
      steps.complain(null);
      promo.set(promoCode);
      show(checkout, quote);
    } catch (error) {
      // Without an answer the amounts shown stay; what is charged is shown by the payment itself.
      if (turn !== requested.current || !(error instanceof Rejection)) return;
      const late = await acting().catch(() => null);
      if (late === null || promoCode === null || !late.isAboutPromoCode(error)) return steps.reject(error);
      promo.set(null);
      await reprice(null);
      steps.mark('promoCode', late.promoSentence(late.said, error));
    }
  }

  /** Says where a tax number cannot be one of the country. */
  async function checkTaxNumber(): Promise<void> {
    const [country, value] = [typed('country'), typed('taxDocument')];
    if (country === '' || value === '') return steps.mark('taxDocument', '');
    const answer = await run(CheckTaxNumberDocument, { country, value }).catch(() => null);
    if (typed('country') !== country || typed('taxDocument') !== value || answer === null) return;
    const { isPlausible, kind } = answer.taxDocumentCheck;
    steps.mark('taxDocument', isPlausible === false ? words.checkout.taxNumber(kind) : '');
  }
  return { requested, reprice, checkTaxNumber };
}

/** The steps of a payer, each taken once; `reload` looks how things stand afterwards. */
function stepsOf(
  {
    token,
    order,
    steps,
    card,
  }: {
    readonly token: string;
    readonly order: Order;
    readonly steps: Steps;
    readonly card: Card;
  },
  reload: (outcome: string | null) => Promise<Reloaded>,
) {
  const { promo, checkout } = order;
  const { onWait } = steps;
  const pay = async () => {
    const promoCode = promo.current.current ?? typed('promoCode');
    const input = {
      token,
      ...(await card.read()),
      ...typedOf('taxDocument', 'companyName'),
      ...(promoCode === '' ? {} : { promoCode }),
      ...typedPlace(),
      ...(checkout.settings.consent ? { consent: isChecked('consent') } : {}),
    };
    const { once, isAboutPromoCode } = await acting();
    try {
      return await once({ action: 'pay', mutation: PayDocument, input, onWait });
    } catch (error) {
      // Its field comes back, with what is wrong beside it.
      if (error instanceof Rejection && isAboutPromoCode(error)) promo.set(null);
      throw error;
    }
  };
  const change = async (part: Change) => {
    const input = { token, ...part };
    return (await acting()).once({ action: 'change', mutation: ChangeCheckoutDocument, input, onWait });
  };
  const answer = async (succeed: boolean, ask: () => Promise<void>) => {
    await ask();
    const input = { token, succeed };
    return (await acting()).once({
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

/** The checkout as the service has it, and how a payer completes it. */
export function useCheckout(first: Checkout) {
  const { token } = usePage();
  const order = useOrder(first);
  const { checkout, shown, promo } = order;
  const [isPaidNow, setIsPaidNow] = useState(false);
  const steps = useSteps(fields);
  const saved = useSavedCard(checkout.savedMethod, !checkout.livemode);
  const card = useCard(
    {
      publishableKey: isPayable(checkout) ? shown.publishableKey : null,
      seller: checkout.branding.name,
      due: { amount: shown.amountDue, currency: shown.currency },
      steps,
    },
    saved,
  );
  const { requested, reprice, checkTaxNumber } = useTyping(order, steps);

  /** Looks how things stand; what is shown stays where that fails. */
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
    const quote =
      next.nextStep === 'pay' ? await order.readQuote(promo.current.current).catch(() => null) : null;
    if (turn === requested.current) order.show(next, quote);
    if (next.status === 'paid') return { isOpen: false, focus: 'title' };
    return { isOpen: isPayable(next), ...(next.nextStep === 'authenticate' ? { focus: 'confirm' } : {}) };
  }
  const taken = stepsOf({ token, order, steps, card }, reload);
  return { ...order, ...taken, isPaidNow, steps, card, reload, reprice, checkTaxNumber };
}

export type Checking = ReturnType<typeof useCheckout>;
