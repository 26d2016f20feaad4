import { useEffect } from 'preact/hooks';
import { countryCodes } from '../../domain/tax/countries.ts';
import { sortedCountries } from '../../ui/format/names.ts';
import { usePage } from '../data/current-page.ts';
import { fieldElement, typed } from '../data/field-values.ts';
import { useOnMount } from '../data/use-on-mount.ts';
import type { SandboxWords } from '../words/areas.ts';
import styles from './country-view.module.css';

/**
 * Name of the field for the country that the page is viewed from. The selected country replaces the customer's country.
 */
export const viewedCountry = 'viewedCountry';

type ViewProps = {
  /** Called to update the order for the selected country. */
  readonly onView: () => void;
  readonly sandbox: SandboxWords;
};

/** Stores the country in the URL, so that it survives a reload. */
function keepInAddress(country: string): void {
  const url = new URL(location.href);
  if (country === '') url.searchParams.delete('country');
  else url.searchParams.set('country', country);
  history.replaceState(history.state, '', url);
}

/** Selects a country in the address fields. Returns true if the page has a country field, whose change event updates the order. */
function typeCountry(country: string): boolean {
  const field = fieldElement('country');
  if (field === null) return false;
  field.value = country;
  return field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Sandbox country selector. Shows the market, price and tax for another country. */
export function CountryView({ onView, sandbox }: ViewProps) {
  const { language } = usePage();
  const view = (country: string): void => {
    keepInAddress(country);
    if (!typeCountry(country)) onView();
  };
  // The country in the URL is read only once.
  useOnMount(() => {
    const named = new URL(location.href).searchParams.get('country') ?? '';
    const select = fieldElement(viewedCountry);
    if (select === null) return;
    select.value = countryCodes.includes(named) ? named : typed('country');
    if (select.value === named && named !== '') view(named);
    else select.focus();
  });
  useEffect(() => {
    const follow = ({ target }: Event): void => {
      const select = fieldElement(viewedCountry);
      if (target instanceof HTMLSelectElement && target.id === 'country' && select !== null)
        select.value = target.value;
    };
    // The listener runs before the page reads the selected country.
    document.addEventListener('change', follow, true);
    return () => document.removeEventListener('change', follow, true);
  }, []);
  return (
    <p class={styles.view}>
      <label for={viewedCountry}>{sandbox.seenFrom}</label>
      <select
        id={viewedCountry}
        class={styles.select}
        onChange={({ currentTarget }) => view(currentTarget.value)}
      >
        <option value="">{sandbox.ownCountry}</option>
        {sortedCountries(countryCodes, language).map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </p>
  );
}
