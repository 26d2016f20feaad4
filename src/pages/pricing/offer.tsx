import { useArea, usePage } from '../data/current-page.ts';
import { useMounted } from '../data/use-mounted.ts';
import { moneyText } from '../format.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { FeatureList } from '../parts/features.tsx';
import { webAddress } from '../parts/frame.tsx';
import { Tiers } from '../parts/tiers.tsx';
import { CountryField } from './country-field.tsx';
import styles from './pricing.module.css';
import { type Buying, type Plan, type Price, priceOf } from './use-pricing.ts';

/** Shows a plan's price for an interval, the savings, and the free trial. */
export function PriceText({ price }: { readonly price: Price | null }) {
  const page = usePage();
  const own = useArea('pricing');
  const { per, saves } = page.words.checkout;
  if (price === null) return <p class={styles.price}>{own.free}</p>;
  return (
    <>
      <p class={styles.price}>{per[price.billingInterval]({ price: moneyText(page, price, price.price) })}</p>
      {price.saving > 0 ? (
        <p class={styles.saving}>{saves({ amount: moneyText(page, price, price.saving) })}</p>
      ) : null}
      {price.trialDays > 0 ? <p class={styles.quiet}>{own.trial({ days: price.trialDays })}</p> : null}
    </>
  );
}

/** Button that selects a plan. Not shown for a free plan without a sign-up link. */
function Chooser({ buying, plan }: { readonly buying: Buying; readonly plan: Plan }) {
  const own = useArea('pricing');
  const isMounted = useMounted();
  const kind = plan.isHighlighted ? 'main' : 'quiet';
  if (!plan.isFree)
    return (
      <Button
        kind={kind}
        id={`choose-${plan.planId}`}
        disabled={!isMounted}
        onClick={() => buying.choose(plan.planId)}
      >
        {own.choose({ plan: plan.name })}
      </Button>
    );
  const target = webAddress(buying.pricing.signUpUrl);
  return target === null ? null : (
    <ButtonLink kind={kind} href={target} target="_top">
      {own.signUp({ plan: plan.name })}
    </ButtonLink>
  );
}

function PlanCard({ buying, plan }: { readonly buying: Buying; readonly plan: Plan }) {
  const own = useArea('pricing');
  const price = priceOf(plan, buying.interval);
  return (
    <li class={`${styles.plan} ${plan.isHighlighted ? styles.highlighted : ''}`}>
      <div class={styles.part}>
        <h2 class={styles.name} dir="auto">
          {plan.name}
        </h2>
        {plan.isHighlighted ? <p class={styles.badge}>{own.recommended}</p> : null}
        {plan.text === null ? null : (
          <p class={styles.quiet} dir="auto">
            {plan.text}
          </p>
        )}
      </div>
      <div class={styles.part}>
        <PriceText price={price} />
      </div>
      <div class={styles.part}>
        <Chooser buying={buying} plan={plan} />
      </div>
      <div class={styles.part}>
        <FeatureList features={plan.features} units={price} rates={price?.rates} />
        {price?.rates.map(({ featureCode, featureName, rate, isInCredits }) => {
          const feature = plan.features.find(({ code }) => code === featureCode);
          // The list of features describes a rate with one tier completely.
          return rate.tiers.length < 2 ? null : (
            <Tiers
              key={featureName}
              rate={rate}
              priced={isInCredits ? null : price}
              words={own.tiers}
              included={feature?.includedAmount ?? null}
              name={featureName}
            />
          );
        })}
      </div>
    </li>
  );
}

/** Selects the billing interval. Not shown if there's only one. */
function IntervalSwitch({ buying, label }: { readonly buying: Buying; readonly label: string }) {
  const { words } = usePage();
  const { pricing, interval, setInterval } = buying;
  if (pricing.intervals.length < 2) return null;
  return (
    <fieldset id="intervals" class={styles.intervals}>
      <legend class={styles.hidden}>{label}</legend>
      {pricing.intervals.map((each) => (
        <label key={each} class={styles.interval}>
          <input
            type="radio"
            name="interval"
            value={each}
            checked={each === interval}
            onChange={() => setInterval(each)}
          />
          <span>{words.checkout.intervals[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Lists plans with the selectors for interval and country. */
export function Offer({ buying, label }: { readonly buying: Buying; readonly label: string }) {
  const own = useArea('pricing');
  const { plans } = buying.pricing;
  return (
    <>
      <div class={styles.choices}>
        <IntervalSwitch buying={buying} label={label} />
        <CountryField buying={buying} label={own.country} isNeeded={false} />
      </div>
      <ul id="plans" class={styles.plans}>
        {plans.map((plan) => (
          <PlanCard key={plan.planId} buying={buying} plan={plan} />
        ))}
      </ul>
      <p class={styles.quiet}>{own.beforeTax}</p>
    </>
  );
}
