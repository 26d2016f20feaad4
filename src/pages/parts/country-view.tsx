import { useEffect } from 'preact/hooks';
import { countryCodes } from '../../domain/countries.ts';
import { sortedCountries } from '../../ui/format/names.ts';
import { usePage } from '../data/current-page.ts';
import { fieldElement, typed } from '../data/typed.ts';
import { useShown } from '../data/use-shown.ts';
import type { SandboxWords } from '../words/areas.ts';
import styles from './country-view.module.css';

/** The name of the choice; what is chosen there counts as the country of the payer. */
export const viewedCountry = 'viewedCountry';

type ViewProps = {
  /** Shows the order as from the country that is chosen by now. */
  readonly onView: () => void;
  readonly sandbox: SandboxWords;
};

/** Keeps the country in the address, so that the view can be opened again. */
function keepInAddress(country: string): void {
  const url = new URL(location.href);
  if (country === '') url.searchParams.delete('country');
  else url.searchParams.set('country', country);
  history.replaceState(history.state, '', url);
}

/** Chooses a country in the address of the payer, where the page has one. Answers whether that shows the order again. */
function typeCountry(country: string): boolean {
  const field = fieldElement('country');
  if (field === null) return false;
  field.value = country;
  return field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** In the sandbox: from which country the page is looked at, with the market, the price and the tax there. */
export function CountryView({ onView, sandbox }: ViewProps) {
  const { language } = usePage();
  const view = (country: string): void => {
    keepInAddress(country);
    if (!typeCountry(country)) onView();
  };
  // The address is read once.
  useShown(() => {
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
    // Before the page reads what is chosen.
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
