import type { ComponentChildren } from 'preact';
import { usePage } from '../data/current-page.ts';
import { addressOf } from './address.ts';
import styles from './portal.module.css';
import type { SectionName } from './sections/names.ts';

type LinkProps = {
  readonly name: SectionName;
  readonly actions: { readonly show: (name: SectionName) => Promise<void> };
  readonly children: ComponentChildren;
};

/** Returns the props of a link that opens a section without reloading the page, unless the customer opens it in a new tab or window. */
function useLink({ name, actions }: Pick<LinkProps, 'name' | 'actions'>) {
  return {
    href: addressOf(usePage(), name),
    onClick: (event: MouseEvent): void => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void actions.show(name);
    },
  };
}

/** Navigation link to a section. */
export const SectionLink = ({
  name,
  isHere,
  actions,
  children,
}: LinkProps & { readonly isHere: boolean }) => (
  <a class={styles.section} {...(isHere ? { 'aria-current': 'page' } : {})} {...useLink({ name, actions })}>
    {children}
  </a>
);

/** Link to a section in the style of a button. */
export const SectionButton = ({ name, actions, id, children }: LinkProps & { readonly id: string }) => (
  <a id={id} class={styles.button} {...useLink({ name, actions })}>
    {children}
  </a>
);
