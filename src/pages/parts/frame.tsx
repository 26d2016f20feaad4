import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type CurrentPage, usePage } from '../data/current-page.ts';
import { Button } from './button.tsx';
import styles from './frame.module.css';
import section from './section.module.css';

/** How the pages of a seller look and where they lead. */
export type Branding = {
  readonly name: string;
  readonly logoUrl: string | null;
  readonly logoWidth: number | null;
  readonly logoHeight: number | null;
  readonly accentColor: string | null;
  readonly theme: 'auto' | 'light' | 'dark';
  readonly radius: number;
  readonly font: 'system' | 'serif' | 'rounded' | 'mono';
  readonly supportEmail: string | null;
  readonly supportUrl: string | null;
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
};

/** An address of the web, or of the service itself; null for any other. */
export const webAddress = (address: string | null): string | null =>
  /^https?:/i.test(address ?? '') && URL.canParse(address ?? '') ? address : null;

/** The address of another page of the service, in the language of this one; null for any other. */
export function pageAddress(
  address: string | null,
  { language }: Pick<CurrentPage, 'language'>,
): string | null {
  const target = webAddress(address);
  return target && `${target}?locale=${language}`;
}

/** Hides a picture that cannot be loaded, or could not before this code was there. */
const hideBroken = (image: HTMLImageElement | null) =>
  void image?.decode().catch(() => {
    image.hidden = true;
  });

function Seller({
  branding,
  isSandbox,
  ribbon,
}: { readonly branding: Branding; readonly isSandbox: boolean } & Pick<ShellProps, 'ribbon'>) {
  const { words } = usePage();
  const logo = webAddress(branding.logoUrl);
  return (
    <header class={styles.header}>
      {logo !== null && (
        // Its place is free before it is loaded, where its size is known.
        <img
          ref={hideBroken}
          id="logo"
          class={styles.logo}
          src={logo}
          // An attribute that is null is left out.
          width={branding.logoWidth as number}
          height={branding.logoHeight as number}
          alt=""
        />
      )}
      <p id="seller" class={styles.seller} dir="auto">
        {branding.name}
      </p>
      {isSandbox && <p class={styles.sandbox}>{words.sandbox.mark}</p>}
      {ribbon}
    </header>
  );
}

/** What an address names, in another language. */
function searchIn(search: string, language: string): string {
  const named = new URLSearchParams(search);
  named.set('locale', language);
  return `?${named}`;
}

function Links({ branding, locales }: { readonly branding: Branding; readonly locales: readonly string[] }) {
  const { words, language, search } = usePage();
  const { frame } = words;
  const { supportEmail, supportUrl, termsUrl, privacyUrl } = branding;
  const help = webAddress(supportUrl) ?? (supportEmail === null ? null : `mailto:${supportEmail}`);
  const links = [
    [frame.support, help],
    [frame.terms, webAddress(termsUrl)],
    [frame.privacy, webAddress(privacyUrl)],
  ] as const;
  const others = locales.filter((each) => each !== language);
  return (
    <footer class={styles.footer}>
      {links.map(
        ([text, address]) =>
          address !== null && (
            <a key={text} class={styles.link} href={address} target="_blank" rel="noopener noreferrer">
              {text}
            </a>
          ),
      )}
      {others.map((each) => (
        <a key={each} class={styles.link} href={searchIn(search, each)} hreflang={each} lang={each}>
          {new Intl.DisplayNames(each, { type: 'language' }).of(each)}
        </a>
      ))}
    </footer>
  );
}

type ShellProps = {
  /** Who sells; null where that is not known. */
  readonly branding: Branding | null;
  readonly isSandbox?: boolean;
  readonly locales?: readonly string[];
  /** What the sandbox offers above the page. */
  readonly ribbon?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** What is around each page: the seller at its head, and where help is. */
export const Shell = ({ branding, isSandbox = false, locales = [], ribbon = null, children }: ShellProps) => (
  <div class={styles.page}>
    {branding !== null && <Seller branding={branding} isSandbox={isSandbox} ribbon={ribbon} />}
    {children}
    {branding !== null && <Links branding={branding} locales={locales} />}
  </div>
);

type FrameProps = ShellProps & {
  readonly title: string;
  /** What stands below the title, beside the form on wide screens. */
  readonly aside?: ComponentChildren;
};

/** A page: the seller at its head, what it is about, what is to be done, and where help is. */
export const Frame = ({ title, aside = null, children, ...shell }: FrameProps) => (
  <Shell {...shell}>
    <main class={aside === null ? styles.single : styles.columns}>
      <div class={styles.about}>
        <h1 id="title" class={styles.title} dir="auto" tabIndex={-1}>
          {title}
        </h1>
        {aside}
      </div>
      <div class={styles.action}>{children}</div>
    </main>
  </Shell>
);

/** How things stand, also read out; while something is being done it is only read out, so that nothing moves. */
export const Status = ({
  text,
  working,
  isDone = false,
}: {
  readonly text: string;
  readonly working: string | null;
  readonly isDone?: boolean;
}) => (
  <p
    id="status"
    class={`status ${styles.status} ${working !== null ? styles.working : isDone ? `done ${styles.done}` : ''}`}
    role="status"
    aria-live="polite"
  >
    {working ?? text}
  </p>
);

/** What went wrong, read out and focused. */
export const Alert = ({ text }: { readonly text: string | null }) =>
  text !== null && (
    <p id="alert" class={styles.alert} role="alert" tabIndex={-1}>
      {text}
    </p>
  );

/** Where the payer goes on. */
export const Onward = ({ address, text }: { readonly address: string | null; readonly text: string }) => {
  const target = webAddress(address);
  return (
    target !== null && (
      <p id="return" class={styles.onward}>
        <a id="return-link" class={styles.link} href={target}>
          {text}
        </a>
      </p>
    )
  );
};

/** Long enough to read the confirmation, and to stay. */
const readingSeconds = 5;

type ReturnProps = {
  /** Where the seller wants the payer to go; null for nowhere. */
  readonly address: string | null;
  readonly text: string;
  /** Whether the payer is led there unless asked not to. */
  readonly isDue: boolean;
};

/** Leads back to the seller after a count-down, which the payer can stop. */
export function Return({ address, text, isDue }: ReturnProps) {
  const { payment } = usePage().words;
  const [left, setLeft] = useState(readingSeconds);
  const [isStaying, setIsStaying] = useState(false);
  const target = webAddress(address);
  const isLeaving = isDue && !isStaying && target !== null;
  useEffect(() => {
    if (!isLeaving) return;
    if (left === 0) return location.assign(target);
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [isLeaving, left, target]);
  return (
    <>
      <Onward address={address} text={text} />
      {isLeaving ? (
        <>
          <p id="leaving" class={section.quiet}>
            {payment.leaving(left)}
          </p>
          <Button kind="quiet" id="stay-here" onClick={() => setIsStaying(true)}>
            {payment.stayHere}
          </Button>
        </>
      ) : null}
    </>
  );
}
