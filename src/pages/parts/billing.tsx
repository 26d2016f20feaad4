import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { countryCodes } from '../../domain/tax/countries.ts';
import { countryText, sortedCountries } from '../../ui/format/names.ts';
import { usePage } from '../data/current-page.ts';
import { typed } from '../data/field-values.ts';
import type { Problems } from '../data/use-page-actions.ts';
import { type AddressRule, anyAddress } from './address-rule.ts';
import styles from './billing.module.css';
import { Check, Choice, Field, FieldRow } from './field.tsx';

/** Field names of a billing address and tax ID, in order. */
export const billingFields = [
  'country',
  'companyName',
  'line1',
  'postalCode',
  'city',
  'state',
  'phone',
  'taxDocument',
] as const;

export type StoredBilling = { readonly [Name in (typeof billingFields)[number]]?: string | null };

type BillingProps = {
  readonly problems: Problems;
  /** Initial values of the address fields. */
  readonly stored?: StoredBilling;
  /** Content to show below the street field. */
  readonly afterStreet?: ComponentChildren;
  /** True if the country is required. */
  readonly isCountryNeeded: boolean;
  /** True to show a phone field. */
  readonly hasPhone?: boolean;
  readonly isPhoneNeeded?: boolean;
  /** True to show a checkbox for companies, which reveals a field for the company's name. */
  readonly asksBusiness?: boolean;
  /** Returns a country's address fields if the rules are already loaded. If omitted, the rules are loaded when a country is selected. */
  readonly ruleOf?: (country: string) => AddressRule;
  /** Called after a change that affects tax. */
  readonly onPlace: () => void;
};

/** Returns the address fields for a country. Returns all fields until the rules are loaded. */
function useRule(country: string, known: BillingProps['ruleOf']): AddressRule {
  const [loaded, setLoaded] = useState<{ country: string; rule: AddressRule } | null>(null);
  useEffect(() => {
    if (country === '' || known !== undefined) return;
    // If the rules can't be loaded, the form shows all fields.
    import('./address-rules.ts').then(
      ({ addressRuleOf }) => setLoaded({ country, rule: addressRuleOf(country) }),
      () => undefined,
    );
  }, [country, known]);
  if (known !== undefined) return known(country);
  // The fields of the previous country remain until the new rules are loaded, so that the layout changes only once.
  return country === '' ? anyAddress : (loaded?.rule ?? anyAddress);
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

type PostalProps = Pick<BillingProps, 'problems' | 'stored'> & { readonly rule: AddressRule };

/**
 * Field for the postal code, with an example for the country. An unusual code only shows a hint, because the merchant decides which codes are valid.
 */
function PostalCode({ problems, stored, rule: { postalCode, postalForm } }: PostalProps) {
  const { postalCodes, labels } = usePage().words;
  const [odd, setOdd] = useState('');
  const isOdd = odd !== '' && postalForm?.isLike(odd) === false;
  return (
    <Field
      name="postalCode"
      defaultValue={stored?.postalCode ?? undefined}
      label={postalCodes[postalCode ?? 'postal']}
      problems={problems}
      isHidden={postalCode === null}
      {...(postalForm === null
        ? {}
        : { help: (isOdd ? labels.postalOdd : labels.postalLike)({ example: postalForm.example }) })}
      isOdd={isOdd}
      autoComplete="postal-code"
      inputMode={postalForm?.isNumeric === true ? 'numeric' : 'text'}
      maxLength={40}
      onChange={({ currentTarget }) => setOdd(currentTarget.value.trim())}
    />
  );
}

/** Field for the region: a select field if the country has a list of regions. */
function Region({
  problems,
  stored,
  rule: { region, regions },
  onPlace,
}: PostalProps & Pick<BillingProps, 'onPlace'>) {
  const { words } = usePage();
  const shared = {
    name: 'state',
    label: words.regions[region ?? 'either'],
    problems,
    autoComplete: 'address-level1',
    onChange: onPlace,
  } as const;
  return regions === null ? (
    <Field
      key="typed"
      {...shared}
      defaultValue={stored?.state ?? undefined}
      isHidden={region === null}
      maxLength={200}
    />
  ) : (
    <Choice key={regions[0]?.code} {...shared}>
      <option value="">{words.labels.choose}</option>
      {regions.map(({ code, name }) => (
        <option key={code} value={code} selected={code === stored?.state}>
          {name}
        </option>
      ))}
    </Choice>
  );
}

/** Field for the tax ID. In a form with a checkbox for companies, it appears only for companies, together with the company's name. */
function Business({
  problems,
  stored,
  rule,
  asksBusiness,
  onPlace,
}: PostalProps & Pick<BillingProps, 'asksBusiness' | 'onPlace'>) {
  const { labels } = usePage().words;
  const [isBusiness, setIsBusiness] = useState(asksBusiness !== true);
  return (
    <>
      {asksBusiness ? (
        <Check
          name="business"
          problems={problems}
          required={false}
          onChange={({ currentTarget }) => {
            setIsBusiness(currentTarget.checked);
            // The tax depends on the entered tax ID.
            setTimeout(onPlace);
          }}
        >
          {labels.business}
        </Check>
      ) : null}
      {asksBusiness && isBusiness ? (
        <Field
          name="companyName"
          label={labels.companyName}
          problems={problems}
          autoComplete="organization"
          maxLength={200}
        />
      ) : null}
      {isBusiness && rule.hasTaxNumber ? (
        <Field
          name="taxDocument"
          defaultValue={stored?.taxDocument ?? undefined}
          label={labels.taxDocument}
          problems={problems}
          autoComplete="off"
          maxLength={100}
          onChange={onPlace}
        />
      ) : null}
    </>
  );
}

/** Fields for a billing address and tax ID. */
export function BillingFields({
  problems,
  stored = {},
  afterStreet = null,
  isCountryNeeded,
  hasPhone = false,
  isPhoneNeeded = false,
  asksBusiness = false,
  ruleOf,
  onPlace,
}: BillingProps) {
  const { words, language } = usePage();
  const { labels } = words;
  const chosen = stored.country ?? '';
  const [country, setCountry] = useState(chosen);
  const [countries, setCountries] = useState<readonly { code: string; name: string }[]>(
    chosen === '' ? [] : [{ code: chosen, name: countryText(chosen, language) }],
  );
  // The browser translates and sorts the country names.
  useEffect(() => {
    setCountries(sortedCountries(countryCodes, language));
    setCountry(typed('country'));
  }, [language]);
  const rule = useRule(country, ruleOf);
  const shared = { problems, stored, rule };
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
        <PostalCode {...shared} />
        <Field
          name="city"
          defaultValue={stored.city ?? undefined}
          label={labels.city}
          problems={problems}
          autoComplete="address-level2"
          maxLength={200}
        />
      </FieldRow>
      <Region {...shared} onPlace={onPlace} />
      {hasPhone ? <Phone problems={problems} isNeeded={isPhoneNeeded} stored={stored.phone} /> : null}
      <Business {...shared} asksBusiness={asksBusiness} onPlace={onPlace} />
    </>
  );
}

/** Billing address. Collapsed unless the country is required or a field has an error. */
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
