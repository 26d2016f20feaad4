// Reads the values of a page's fields. Fields keep their own values, so that rerendering doesn't lose them.

/** Returns the element of a field. `null` if the page doesn't have the field. */
export const fieldElement = (name: string): HTMLInputElement | HTMLSelectElement | null =>
  document.getElementById(name) as HTMLInputElement | HTMLSelectElement | null;

/** Returns the trimmed value of a field. Empty if the field is missing or hidden. */
export function typed(name: string): string {
  const field = fieldElement(name);
  return field === null || field.closest('[hidden]') !== null ? '' : field.value.trim();
}

/** Returns the values of the named fields that aren't empty. */
export const typedOf = <Name extends string>(...names: readonly Name[]): { [Key in Name]?: string } =>
  Object.fromEntries(names.flatMap((name) => (typed(name) === '' ? [] : [[name, typed(name)]]))) as {
    [Key in Name]?: string;
  };

/** True if a checkbox is checked. False if the page doesn't have the checkbox. */
export const isChecked = (name: string): boolean =>
  (document.getElementById(name) as HTMLInputElement | null)?.checked === true;

/** Returns the billing address as input for the service, which requires a country. `null` if no address was entered. */
export function typedAddress(): { country: string; [name: string]: string } | null {
  const values = typedOf('line1', 'line2', 'city', 'postalCode', 'country', 'state', 'phone');
  return Object.keys(values).length === 0 ? null : { country: '', ...values };
}

/** Returns the billing address and phone number as input for the checkout. A phone number alone doesn't change the stored address. */
export function typedBilling(): { billingAddress?: ReturnType<typeof typedAddress>; phone?: string } {
  const billingAddress = typedAddress();
  if (billingAddress === null) return {};
  const { country, phone, ...rest } = billingAddress;
  const isNumberAlone = phone !== undefined && country === '' && Object.keys(rest).length === 0;
  return isNumberAlone ? { phone } : { billingAddress };
}

/** Returns the field name for one of the service's input paths, such as `billingAddress.city` or `card.expMonth`. */
export function fieldAt(path: string): string {
  const name = path.split('.').at(-1) ?? '';
  return name === 'expMonth' || name === 'expYear' ? 'expiry' : name;
}
