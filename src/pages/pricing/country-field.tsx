import { useEffect, useState } from 'preact/hooks';
import { countryCodes } from '../../domain/tax/countries.ts';
import { countryText, sortedCountries } from '../../ui/format/names.ts';
import { useArea, usePage } from '../data/current-page.ts';
import { Choice } from '../parts/field.tsx';
import type { Buying } from './use-pricing.ts';

type CountryFieldProps = { readonly buying: Buying; readonly label: string; readonly isNeeded: boolean };

/** Selects the visitor's country, which determines the prices. */
export function CountryField({ buying, label, isNeeded }: CountryFieldProps) {
  const { language, words } = usePage();
  const own = useArea('pricing');
  const { pricing, steps, moveTo } = buying;
  const chosen = pricing.country ?? '';
  const [countries, setCountries] = useState<readonly { code: string; name: string }[]>(
    chosen === '' ? [] : [{ code: chosen, name: countryText(chosen, language) }],
  );
  // The browser translates and sorts the country names.
  useEffect(() => setCountries(sortedCountries(countryCodes, language)), [language]);
  return (
    <Choice
      name="country"
      label={label}
      problems={steps.problems}
      autoComplete="country"
      required={isNeeded}
      value={chosen}
      onChange={({ currentTarget }) => void moveTo(currentTarget.value)}
    >
      <option value="" selected={chosen === ''}>
        {isNeeded ? words.labels.chooseCountry : own.anyCountry}
      </option>
      {countries.map(({ code, name }) => (
        <option key={code} value={code} selected={code === chosen}>
          {name}
        </option>
      ))}
    </Choice>
  );
}
