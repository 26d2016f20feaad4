import { useRef, useState } from 'preact/hooks';
import { languageOfTag } from '../../domain/text/language.ts';
import type { ResultOf } from '../../ui/documents.ts';
import { useArea, usePage } from '../data/current-page.ts';
import { typed, typedOf } from '../data/field-values.ts';
import { mutate } from '../data/idempotent-mutation.ts';
import { needsState, Rejection, run } from '../data/service.ts';
import { offerCheckout } from '../data/use-host.ts';
import { usePageActions } from '../data/use-page-actions.ts';
import { visitKey } from '../data/visitor-secret.ts';
import { webAddress } from '../parts/frame.tsx';
import { BuyPlanDocument, PricingPageDocument } from './page.graphql';

export type PricingPageData = ResultOf<typeof PricingPageDocument>;
export type Pricing = PricingPageData['pricingPage'];
export type Plan = Pricing['plans'][number];
export type Price = Plan['prices'][number];
type Interval = Price['billingInterval'];

/** Query parameters that are passed on to the checkout. */
const keptSearch = ['theme', 'embedded'];

/** Returns a checkout URL with this page's language and theme. `null` if the URL isn't a web address or a path of the service. */
function checkoutAddress(address: string, language: string): string | null {
  const target = webAddress(address);
  if (target === null) return null;
  const url = new URL(target);
  const own = new URLSearchParams(location.search);
  url.searchParams.set('locale', language);
  for (const name of keptSearch) {
    const value = own.get(name);
    if (value !== null) url.searchParams.set(name, value);
  }
  return url.href;
}

/** Returns the price of a plan for an interval, or the plan's first price. `null` if the plan is free. */
export const priceOf = ({ prices }: Plan, interval: Interval | null): Price | null =>
  prices.find(({ billingInterval }) => billingInterval === interval) ?? prices[0] ?? null;

/** Loads the prices for a country. If they can't be loaded, the page doesn't change, and `complain` is called with an error. */
function usePrices(first: Pricing, complain: (text: string) => void) {
  const { token } = usePage();
  const own = useArea('pricing');
  const [pricing, setPricing] = useState(first);
  // Sequence number of price requests. A late response is ignored if a newer request was sent.
  const requested = useRef(0);
  const moveTo = async (country: string): Promise<void> => {
    const turn = ++requested.current;
    try {
      const answer = await run(PricingPageDocument, { token, country: country || null });
      if (turn === requested.current) setPricing(answer.pricingPage);
    } catch {
      if (turn === requested.current) complain(own.unavailable);
    }
  };
  return { pricing, moveTo };
}

/** Returns the names of incomplete fields. */
const missingFields = (): string[] => [
  ...(/^[^@\s]+@[^@\s]+$/.test(typed('email')) ? [] : ['email']),
  ...(typed('country') === '' ? ['country'] : []),
];

/** Opens a checkout, either in an overlay of the parent page or in this window. Returns true if this page stays open. */
function goOn(address: string, language: string, embedOrigins: readonly string[]): boolean {
  const target = checkoutAddress(address, language);
  if (target === null) return true;
  const isAbove = new URLSearchParams(location.search).get('checkout') === 'overlay';
  if (isAbove) offerCheckout(embedOrigins, target);
  else location.assign(target);
  return isAbove;
}

/** Manages the prices for a country, the visitor's selection, and the purchase. */
export function usePricing(first: Pricing) {
  const { token, language } = usePage();
  const own = useArea('pricing');
  const steps = usePageActions(['email', 'country', 'state'], (error) =>
    error instanceof Rejection && error.code === 'not_found' ? own.gone : null,
  );
  const { pricing, moveTo } = usePrices(first, steps.complain);
  const [interval, setInterval] = useState<Interval | null>(
    first.intervals.find((each) => each === 'monthly') ?? first.intervals[0] ?? null,
  );
  const [planId, setPlanId] = useState<string | null>(null);
  const [isStateNeeded, setStateNeeded] = useState(false);
  const [isOpened, setOpened] = useState(false);
  const plan = pricing.plans.find((each) => each.planId === planId) ?? null;
  const price = plan === null ? null : priceOf(plan, interval);

  const begin = async (chosen: Plan, { billingInterval }: Price) => {
    const about = { planId: chosen.planId, billingInterval, email: typed('email') };
    const place = typedOf('country', 'state');
    const input = { token, visit: visitKey(), ...about, ...place, locale: languageOfTag(language) };
    try {
      return await mutate({ action: 'buy', mutation: BuyPlanDocument, input, onWait: steps.onWait });
    } catch (error) {
      if (needsState(error)) setStateNeeded(true);
      throw error;
    }
  };
  const buy = (): void => {
    const missing = missingFields();
    if (missing.length > 0) return steps.markAll(missing);
    if (plan === null || price === null) return;
    void steps.attempt(
      () => begin(plan, price),
      async (result) => {
        const url = result?.pricingTablePurchase.checkoutUrl;
        if (url !== undefined) setOpened(goOn(url, language, pricing.branding.embedOrigins));
        return { isOpen: true };
      },
    );
  };
  /** Selects a plan. `null` shows all plans again. */
  const choose = (next: string | null): void => {
    steps.clear();
    setOpened(false);
    setPlanId(next);
  };
  return { pricing, moveTo, interval, setInterval, plan, price, steps, isStateNeeded, isOpened, choose, buy };
}

export type Buying = ReturnType<typeof usePricing>;
