import { useArea, usePage } from '../data/current-page.ts';
import type { Begin } from '../data/initial-data.ts';
import { useHost } from '../data/use-host.ts';
import { NothingToShow } from '../parts/empty-page.tsx';
import { Frame, Shell } from '../parts/frame.tsx';
import { BuyForm } from './buy-form.tsx';
import { Offer } from './offer.tsx';
import styles from './pricing.module.css';
import { type Pricing, type PricingPageData, usePricing } from './use-pricing.ts';

function OpenPricingPage({ first }: { readonly first: Pricing }) {
  const own = useArea('pricing');
  const { words } = usePage();
  const buying = usePricing(first);
  const { pricing, plan } = buying;
  const { branding, livemode, locales, name } = pricing;
  useHost(branding.embedOrigins, false);
  const shell = { branding, isSandbox: !livemode, locales };
  if (plan !== null)
    return (
      <Frame {...shell} title={own.buy({ plan: plan.name })}>
        <BuyForm buying={buying} plan={plan} />
      </Frame>
    );
  return (
    <Shell {...shell}>
      <main class={styles.main}>
        <h1 id="title" class={styles.title} dir="auto" tabIndex={-1}>
          {name}
        </h1>
        <p id="status" class={styles.status} role="status" aria-live="polite">
          {pricing.plans.length === 0 ? own.none : (buying.steps.alert ?? '')}
        </p>
        <Offer buying={buying} label={words.checkout.interval} />
      </main>
    </Shell>
  );
}

export function PricingPage({ begin }: { readonly begin: Begin<PricingPageData> }) {
  const own = useArea('pricing');
  return begin.data === null ? (
    <NothingToShow title={own.page} text={begin.isInvalid ? own.gone : own.unavailable} />
  ) : (
    <OpenPricingPage first={begin.data.pricingPage} />
  );
}
