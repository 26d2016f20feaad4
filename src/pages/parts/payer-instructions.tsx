import type { ComponentChildren, FunctionComponent } from 'preact';
import { currentPage, usePage } from '../data/current-page.ts';
import type { CatalogModule } from '../start.tsx';
import type { PushWords } from '../words/areas.ts';
import type { CollectionPartsFragment } from './collection.graphql';
import styles from './instructions.module.css';
import type { InstructionsProps } from './instructions.tsx';
import { lazyView } from './lazy-view.tsx';

const catalogs = import.meta.glob<CatalogModule<PushWords>>('../words/*/push.json');

/** Instructions to the payer, loaded when they are shown. */
export const PayerInstructions: FunctionComponent<InstructionsProps> = lazyView<InstructionsProps>(
  async () => {
    const [{ Instructions }, catalog] = await Promise.all([
      import('./instructions.tsx'),
      catalogs[`../words/${currentPage().language}/push.json`]?.(),
    ]);
    if (catalog === undefined) throw new Error('There are no words about instructions in this language.');
    return (props) => <Instructions {...props} words={catalog.default} />;
  },
);

/** Returns true if the payer can follow the instructions of a pending payment. */
export const isInstructed = (collection: CollectionPartsFragment | null): boolean =>
  collection?.instructions != null;

/** Payment form. While the payer can follow instructions, the form is collapsed and offers other ways to pay. */
export function OtherWays({
  isCollapsed,
  children,
}: {
  readonly isCollapsed: boolean;
  readonly children: ComponentChildren;
}) {
  const { payment } = usePage().words;
  return isCollapsed ? (
    <details id="other-ways" class={styles.others}>
      <summary>{payment.otherWays}</summary>
      {children}
    </details>
  ) : (
    <>{children}</>
  );
}
