import { useEffect } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import type { Begin } from '../data/initial-data.ts';
import { useHost } from '../data/use-host.ts';
import { NothingToShow } from '../parts/empty-page.tsx';
import { Alert, Onward, Shell, Status } from '../parts/frame.tsx';
import { Dialogs } from './dialogs.tsx';
import { Quiet } from './parts.tsx';
import styles from './portal.module.css';
import { type PortalWords, useOwn } from './portal-words.ts';
import { SectionLink } from './section-link.tsx';
import { offeredSections, sections } from './sections/index.ts';
import type { Frame } from './sections/kind.ts';
import type { SectionName } from './sections/names.ts';
import { usePortal } from './use-portal.ts';

/** Returns the title of a section. The title of credits, balance, and commitments depends on the plan. */
function sectionTitle(own: PortalWords, name: SectionName, { subscription }: Frame): string {
  if (name !== 'credits' || subscription === null) return own.sections[name];
  const { credits, balance, commitments } = subscription;
  if (balance !== null) return own.sections.balance;
  return own.sections[credits === null && commitments.length > 0 ? 'commitments' : 'credits'];
}

/** Returns the document title. The first section has the title of the portal. */
export const titleOf = (own: PortalWords, name: SectionName, portal: Frame): string =>
  own.titleOf({
    section: name === 'overview' ? own.title : sectionTitle(own, name, portal),
    merchant: portal.branding.name,
  });

function OpenPortal({ first }: { readonly first: Frame }) {
  const own = useOwn();
  const actions = usePortal(first);
  const { shown, isEnded, steps, message, asking } = actions;
  const { name, portal } = shown;
  const title = sectionTitle(own, name, portal);
  useHost(portal.branding.embedOrigins, false);
  useEffect(() => {
    document.title = titleOf(own, name, portal);
  }, [own, name, portal]);
  if (isEnded) return <NothingToShow title={own.title} text={own.ended({ merchant: first.branding.name })} />;
  const { View } = sections[name];
  const isAsked = asking !== null || portal.subscription?.authentication != null;
  return (
    <Shell branding={portal.branding} isSandbox={!portal.livemode} locales={portal.locales}>
      <div class={styles.layout}>
        <nav aria-label={own.navigation}>
          <ul class={styles.navigation}>
            {offeredSections(portal).map((each) => (
              <li key={each}>
                <SectionLink name={each} isHere={each === name} actions={actions}>
                  {sectionTitle(own, each, portal)}
                </SectionLink>
              </li>
            ))}
          </ul>
        </nav>
        <main class={styles.main}>
          <div>
            <h1 id="title" class={styles.title} tabIndex={-1}>
              {title}
            </h1>
            <Quiet id="customer">{portal.customer.email}</Quiet>
          </div>
          <Status text={message} working={steps.working} isDone={message !== ''} />
          {isAsked ? null : <Alert text={steps.alert} />}
          <View portal={portal} actions={actions} />
          <Onward address={portal.returnUrl} text={own.back({ merchant: portal.branding.name })} />
        </main>
      </div>
      <Dialogs actions={actions} portal={portal} />
    </Shell>
  );
}

export function PortalPage({ begin }: { readonly begin: Begin<{ readonly portal: Frame }> }) {
  const { words } = usePage();
  const own = useOwn();
  return begin.data === null ? (
    <NothingToShow title={own.title} text={begin.isInvalid ? words.invalidLink : own.unavailable} />
  ) : (
    <OpenPortal first={begin.data.portal} />
  );
}
