import { useRef, useState } from 'preact/hooks';
import type { ResultOf } from '../../ui/documents.ts';
import { useArea, usePage } from '../data/current-page.ts';
import { once } from '../data/once.ts';
import { Rejection, run } from '../data/service.ts';
import { typed, typedOf } from '../data/typed.ts';
import { offerCheckout } from '../data/use-host.ts';
import { useSteps } from '../data/use-steps.ts';
import { visitKey } from '../data/visit.ts';
import { webAddress } from '../parts/frame.tsx';
import { BuyPlanDocument, PricingPageDocument } from './page.graphql';

export type PricingPageData = ResultOf<typeof PricingPageDocument>;
export type Pricing = PricingPageData['pricingPage'];
export type Plan = Pricing['plans'][number];
export type Price = Plan['prices'][number];
type Interval = Price['billingInterval'];

/** What of an address a checkout goes on with. */
const keptSearch = ['theme', 'embedded'];

/** The address of a checkout in the language and the look of this page; null for an address of anything else. */
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

/** The price of a plan for an interval, else its first one; null for a free plan. */
export const priceOf = ({ prices }: Plan, interval: Interval | null): Price | null =>
  prices.find(({ billingInterval }) => billingInterval === interval) ?? prices[0] ?? null;

const needsState = (error: unknown): boolean =>
  error instanceof Rejection &&
  (error.details as { readonly reason?: unknown } | undefined)?.reason === 'tax_not_computed';

/** The prices as the service has them for a country; what is shown stays where they cannot be read, which `complain` says. */
function usePrices(first: Pricing, complain: (text: string) => void) {
  const { token } = usePage();
  const own = useArea('pricing');
  const [pricing, setPricing] = useState(first);
  // Counts the prices requested, so that a late answer does not replace a newer one.
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

/** What is missing of a visitor who wants to buy. */
const missingFields = (): string[] => [
  ...(/^[^@\s]+@[^@\s]+$/.test(typed('email')) ? [] : ['email']),
  ...(typed('country') === '' ? ['country'] : []),
];

/** Leads to a checkout: in a window above this one, where the page around it opens one, else here. Answers whether this page stays. */
function goOn(address: string, language: string, embedOrigins: readonly string[]): boolean {
  const target = checkoutAddress(address, language);
  if (target === null) return true;
  const isAbove = new URLSearchParams(location.search).get('checkout') === 'overlay';
  if (isAbove) offerCheckout(embedOrigins, target);
  else location.assign(target);
  return isAbove;
}

/** The prices of a country, what is chosen of them, and how a visitor buys it. */
export function usePricing(first: Pricing) {
  const { token, language } = usePage();
  const own = useArea('pricing');
  const steps = useSteps(['email', 'country', 'state'], (error) =>
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
    const input = { token, visit: visitKey(), ...about, ...place, locale: language as 'en' | 'es' };
    try {
      return await once({ action: 'buy', mutation: BuyPlanDocument, input, onWait: steps.onWait });
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
  /** Goes on with a plan, or back to all of them. */
  const choose = (next: string | null): void => {
    steps.clear();
    setOpened(false);
    setPlanId(next);
  };
  return { pricing, moveTo, interval, setInterval, plan, price, steps, isStateNeeded, isOpened, choose, buy };
}

export type Buying = ReturnType<typeof usePricing>;
