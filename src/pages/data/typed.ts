// What stands in the fields of a page. Fields keep what was typed themselves, so that nothing is lost when the page is shown again.

/** The element of a field; null where the page has none. */
export const fieldElement = (name: string): HTMLInputElement | HTMLSelectElement | null =>
  document.getElementById(name) as HTMLInputElement | HTMLSelectElement | null;

/** What stands in a field, without spaces around it; empty where the page has no such field or hides it. */
export function typed(name: string): string {
  const field = fieldElement(name);
  return field === null || field.closest('[hidden]') !== null ? '' : field.value.trim();
}

/** Those of the named fields in which something stands. */
export const typedOf = <Name extends string>(...names: readonly Name[]): { [Key in Name]?: string } =>
  Object.fromEntries(names.flatMap((name) => (typed(name) === '' ? [] : [[name, typed(name)]]))) as {
    [Key in Name]?: string;
  };

/** Whether a box is checked; false where the page has none. */
export const isChecked = (name: string): boolean =>
  (document.getElementById(name) as HTMLInputElement | null)?.checked === true;

/** The billing address as the service wants it, its country in it even where that is missing; null when none was begun. */
export function typedAddress(): { country: string; [name: string]: string } | null {
  const values = typedOf('line1', 'line2', 'city', 'postalCode', 'country', 'state', 'phone');
  return Object.keys(values).length === 0 ? null : { country: '', ...values };
}

/** The billing address and the telephone number as the checkout wants them: a number alone leaves the address on file as it is. */
export function typedBilling(): { billingAddress?: ReturnType<typeof typedAddress>; phone?: string } {
  const billingAddress = typedAddress();
  if (billingAddress === null) return {};
  const { country, phone, ...rest } = billingAddress;
  const isNumberAlone = phone !== undefined && country === '' && Object.keys(rest).length === 0;
  return isNumberAlone ? { phone } : { billingAddress };
}

/** The page's field for a path of the service: `billingAddress.city`, `card.expMonth`. */
export function fieldAt(path: string): string {
  const name = path.split('.').at(-1) ?? '';
  return name === 'expMonth' || name === 'expYear' ? 'expiry' : name;
}
