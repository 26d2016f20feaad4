import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { countryCodes } from '../../domain/countries.ts';
import { countryText, sortedCountries } from '../../ui/format/names.ts';
import { usePage } from '../data/current-page.ts';
import { typed } from '../data/typed.ts';
import type { Problems } from '../data/use-steps.ts';
import { addressRuleOf } from './address-rules.ts';
import styles from './billing.module.css';
import { Choice, Field, FieldRow } from './field.tsx';
import type { RegionOption } from './region-lists.ts';

/** The fields of a billing address and a tax number, in their order. */
export const billingFields = [
  'country',
  'line1',
  'postalCode',
  'city',
  'state',
  'phone',
  'taxDocument',
] as const;

/** What is stored of an address and a tax number. */
export type StoredBilling = { readonly [Name in (typeof billingFields)[number]]?: string | null };

type BillingProps = {
  readonly problems: Problems;
  /** What stands in the fields at first. */
  readonly stored?: StoredBilling;
  /** What stands below the street. */
  readonly afterStreet?: ComponentChildren;
  /** Whether the country has to be known. */
  readonly isCountryNeeded: boolean;
  /** Whether it has a field for a telephone number. */
  readonly hasPhone?: boolean;
  readonly isPhoneNeeded?: boolean;
  /** Called when something changed the tax depends on. */
  readonly onPlace: () => void;
};

/** The states of a country to choose from; null where the state is typed, also while a list is loaded. */
function useRegions(country: string): readonly RegionOption[] | null {
  const [loaded, setLoaded] = useState<{ country: string; regions: readonly RegionOption[] } | null>(null);
  useEffect(() => {
    if (!addressRuleOf(country).hasRegionList) return;
    // Without the list the state is typed.
    import('./region-lists.ts').then(
      ({ regionsIn }) => setLoaded({ country, regions: regionsIn(country) }),
      () => undefined,
    );
  }, [country]);
  return loaded?.country === country ? loaded.regions : null;
}

type PhoneProps = {
  readonly problems: Problems;
  readonly isNeeded: boolean;
  readonly stored: string | null | undefined;
};

function Phone({ problems, isNeeded, stored }: PhoneProps) {
  const { labels } = usePage().words;
  return (
    <Field
      name="phone"
      defaultValue={stored ?? ''}
      label={labels.phone}
      problems={problems}
      type="tel"
      autoComplete="tel"
      maxLength={40}
      required={isNeeded}
    />
  );
}

/** The inputs of a billing address and a tax number, those a country has. */
export function BillingFields({
  problems,
  stored = {},
  afterStreet = null,
  isCountryNeeded,
  hasPhone = false,
  isPhoneNeeded = false,
  onPlace,
}: BillingProps) {
  const { words, language } = usePage();
  const { labels } = words;
  const chosen = stored.country ?? '';
  const [country, setCountry] = useState(chosen);
  const [countries, setCountries] = useState<readonly { code: string; name: string }[]>(
    chosen === '' ? [] : [{ code: chosen, name: countryText(chosen, language) }],
  );
  // The browser has the names of countries in its language, and sorts them.
  useEffect(() => {
    setCountries(sortedCountries(countryCodes, language));
    setCountry(typed('country'));
  }, [language]);
  const { postalCode, region } = addressRuleOf(country);
  const regions = useRegions(country);
  const stateLabel = words.regions[region ?? 'either'];
  return (
    <>
      <Choice
        name="country"
        label={labels.country}
        problems={problems}
        autoComplete="country"
        required={isCountryNeeded}
        onChange={({ currentTarget }) => {
          setCountry(currentTarget.value);
          onPlace();
        }}
      >
        <option value="">{labels.chooseCountry}</option>
        {countries.map(({ code, name }) => (
          <option key={code} value={code} selected={code === chosen}>
            {name}
          </option>
        ))}
      </Choice>
      <Field
        name="line1"
        defaultValue={stored.line1 ?? undefined}
        label={labels.line1}
        problems={problems}
        autoComplete="address-line1"
        maxLength={300}
      />
      {afterStreet}
      <FieldRow>
        <Field
          name="postalCode"
          defaultValue={stored.postalCode ?? undefined}
          label={words.postalCodes[postalCode ?? 'postal']}
          problems={problems}
          isHidden={postalCode === null}
          autoComplete="postal-code"
          maxLength={40}
        />
        <Field
          name="city"
          defaultValue={stored.city ?? undefined}
          label={labels.city}
          problems={problems}
          autoComplete="address-level2"
          maxLength={200}
        />
      </FieldRow>
      {regions === null ? (
        <Field
          key="typed"
          name="state"
          defaultValue={stored.state ?? undefined}
          label={stateLabel}
          problems={problems}
          isHidden={region === null}
          autoComplete="address-level1"
          maxLength={200}
          onChange={onPlace}
        />
      ) : (
        <Choice
          key={country}
          name="state"
          label={stateLabel}
          problems={problems}
          autoComplete="address-level1"
          onChange={onPlace}
        >
          <option value="">{labels.choose}</option>
          {regions.map(({ code, name }) => (
            <option key={code} value={code} selected={code === stored.state}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      {hasPhone ? <Phone problems={problems} isNeeded={isPhoneNeeded} stored={stored.phone} /> : null}
      <Field
        name="taxDocument"
        defaultValue={stored.taxDocument ?? undefined}
        label={labels.taxDocument}
        problems={problems}
        autoComplete="off"
        maxLength={100}
        onChange={onPlace}
      />
    </>
  );
}

/** The billing address, folded unless the country has to be known or something is wrong in it. */
export function Billing(props: BillingProps) {
  const { words } = usePage();
  const hasProblem = billingFields.some((name) => (props.problems[name] ?? '') !== '');
  const [isOpen, setIsOpen] = useState(props.isCountryNeeded || props.isPhoneNeeded === true);
  const isShown = isOpen || hasProblem;
  return (
    <details
      id="billing"
      class={styles.billing}
      open={isShown}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary class={styles.summary}>{words.labels.billing}</summary>
      <div class={styles.fields}>
        <BillingFields {...props} />
      </div>
    </details>
  );
}
