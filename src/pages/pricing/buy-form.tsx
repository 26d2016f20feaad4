import { useLayoutEffect } from 'preact/hooks';
import { useArea, usePage } from '../data/current-page.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Alert, Status } from '../parts/frame.tsx';
import section from '../parts/section.module.css';
import { CountryField } from './country-field.tsx';
import { PriceText } from './offer.tsx';
import type { Buying, Plan } from './use-pricing.ts';

/** Form that purchases a plan. */
export function BuyForm({ buying, plan }: { readonly buying: Buying; readonly plan: Plan }) {
  const { words } = usePage();
  const own = useArea('pricing');
  const { steps, price, isStateNeeded, isOpened } = buying;
  // A layout effect runs before the visitor can focus a field. A later effect would move the focus away from that field.
  useLayoutEffect(() => document.getElementById('title')?.focus(), []);
  return (
    <>
      <Status text={isOpened ? own.opened : ''} working={steps.working} />
      <div id="price">
        <PriceText price={price} />
      </div>
      <form
        id="buy"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          buying.buy();
        }}
      >
        <fieldset id="fields" class={section.fields} disabled={steps.isBusy}>
          <Field
            name="email"
            label={words.labels.email}
            problems={steps.problems}
            type="email"
            autoComplete="email"
            maxLength={320}
            required
          />
          <p class={section.quiet}>{own.emailHelp}</p>
          <CountryField buying={buying} label={words.labels.country} isNeeded />
          {isStateNeeded ? (
            <Field
              name="state"
              label={words.regions.either}
              problems={steps.problems}
              autoComplete="address-level1"
              maxLength={200}
            />
          ) : null}
          <Alert text={steps.alert} />
          <Button type="submit" id="continue" aria-label={`${own.goOn}: ${plan.name}`}>
            {own.goOn}
          </Button>
          <Button
            kind="quiet"
            id="back"
            onClick={() => {
              buying.choose(null);
              requestAnimationFrame(() => document.getElementById(`choose-${plan.planId}`)?.focus());
            }}
          >
            {own.back}
          </Button>
        </fieldset>
      </form>
    </>
  );
}
