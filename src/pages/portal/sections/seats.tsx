import { usePage } from '../../data/current-page.ts';
import { fieldElement, typed } from '../../data/field-values.ts';
import { rateText } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Tiers } from '../../parts/tiers.tsx';
import { Plain, Quiet } from '../parts.tsx';
import { decreaseText } from '../pending.tsx';
import styles from '../portal.module.css';
import { useOwn } from '../portal-words.ts';
import { PlainSectionDocument } from '../standing.graphql';
import { SetSeatsDocument } from '../steps.graphql';
import type { Standing } from '../texts.ts';
import type { PortalActions } from '../use-portal.ts';
import { type SectionProps, sectionOf } from './kind.ts';

type Feature = Extract<Standing['features'][number], { readonly usage: object }>;

/** Maximum number of seats (SUB-13a). */
const mostSeats = 1_000_000;

type SeatsProps = {
  readonly feature: Feature;
  readonly subscription: Standing;
  readonly actions: PortalActions;
};

function SeatsForm({ feature: { code, name, usage }, subscription, actions }: SeatsProps) {
  const page = usePage();
  const own = useOwn();
  const { seats: words } = own;
  const field = `seats-${code}`;
  const { steps } = actions;
  const present = usage.next ?? usage.current;
  const pending = decreaseText({ page, own }, subscription, usage);
  const submit = (): void => {
    const text = typed(field);
    const wanted = Number(text);
    const isRight = /^\d+$/.test(text) && wanted <= mostSeats;
    steps.mark(field, isRight ? '' : words.problem({ most: mostSeats }));
    if (!isRight) return fieldElement(field)?.focus();
    actions.buy({
      action: 'seatsSet',
      mutation: SetSeatsDocument,
      input: { featureCode: code, count: wanted },
      title: words.title({ count: wanted, name }),
      label: words.save,
      done:
        decreaseText(
          { page, own },
          subscription,
          wanted < usage.current ? { current: usage.current, next: wanted } : { current: wanted, next: null },
        ) || words.done({ count: wanted }),
    });
  };
  const included =
    usage.overageUnitPrice === null || usage.rate !== null
      ? words.included({ count: usage.included })
      : words.each({
          count: usage.included,
          price: rateText(page, subscription, usage.overageUnitPrice),
        });
  return (
    <form
      id={`form-${code}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset class={styles.form} disabled={steps.isBusy} aria-label={name}>
        <Field
          key={`${usage.current} ${present}`}
          name={field}
          label={name}
          problems={steps.problems}
          inputMode="numeric"
          autoComplete="off"
          maxLength={12}
          defaultValue={String(present)}
        />
        <Quiet>{included}</Quiet>
        {usage.rate === null ? null : (
          <Tiers rate={usage.rate} priced={subscription} words={own.tiers} included={usage.included} />
        )}
        {pending === '' ? null : <p id={`pending-${code}`}>{pending}</p>}
        <Button type="submit" kind="quiet">
          {words.save}
        </Button>
      </fieldset>
    </form>
  );
}

function Seats({ portal, actions }: SectionProps) {
  const { seats: words } = useOwn();
  const { subscription, settings } = portal;
  const features = (subscription?.features ?? []).filter(
    (feature): feature is Feature => feature.type === 'seats' && 'usage' in feature,
  );
  if (subscription === null || !settings.seats || features.length === 0)
    return (
      <Plain>
        <Quiet>{words.none}</Quiet>
      </Plain>
    );
  return (
    <Plain>
      <Quiet>{words.text}</Quiet>
      {features.map((feature) => (
        <SeatsForm key={feature.code} feature={feature} subscription={subscription} actions={actions} />
      ))}
    </Plain>
  );
}

/** Section with the number of seats of each feature. */
export const seats = sectionOf(PlainSectionDocument, Seats);
