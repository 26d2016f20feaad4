import type { ComponentChildren } from 'preact';
import { type CurrentPage, usePage } from '../data/current-page.ts';
import styles from './frame.module.css';

/** Branding and links of a merchant. */
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

/** Returns the URL if it is a web address or a path of the service. Otherwise, returns `null`. */
export const webAddress = (address: string | null): string | null =>
  /^https?:/i.test(address ?? '') && URL.canParse(address ?? '') ? address : null;

/** Returns the URL of another page on the service, in this page's language. `null` if the URL isn't a web address or a path of the service. */
export function pageAddress(
  address: string | null,
  { language }: Pick<CurrentPage, 'language'>,
): string | null {
  const target = webAddress(address);
  return target && `${target}?locale=${language}`;
}

/** Hides an image that can't be loaded, even if the load failed before hydration. */
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
        // Reserves space for the image if its size is known.
        <img
          ref={hideBroken}
          id="logo"
          class={styles.logo}
          src={logo}
          // Preact omits attributes that are `null`.
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

/** Replaces the language in a query string. */
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
  const others = locales.map((each) => each.replace('_', '-')).filter((each) => each !== language);
  return (
    <footer class={styles.footer}>
      {links.map(
        ([text, address]) =>
          address !== null && (
            <a key={text} class={styles.link} href={address} target="_blank" rel="noreferrer">
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
  /** Branding of the merchant. `null` if unknown. */
  readonly branding: Branding | null;
  readonly isSandbox?: boolean;
  readonly locales?: readonly string[];
  /** Sandbox controls above the page. */
  readonly ribbon?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** Frame around every page: the merchant's header, and links to help. */
export const Shell = ({ branding, isSandbox = false, locales = [], ribbon = null, children }: ShellProps) => (
  <div class={styles.page}>
    {branding !== null && <Seller branding={branding} isSandbox={isSandbox} ribbon={ribbon} />}
    {children}
    {branding !== null && <Links branding={branding} locales={locales} />}
  </div>
);

type FrameProps = ShellProps & {
  readonly title: string;
  /** Content below the title. On wide screens, it is next to the form. */
  readonly aside?: ComponentChildren;
};

/** Page with the merchant's header, a title, content and links to help. */
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

/** Page status, announced by screen readers. If an action takes a while, the status is shown on top of the page. */
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

/** Error message of the page. It receives the focus, and screen readers announce it. */
export const Alert = ({ text }: { readonly text: string | null }) =>
  text !== null && (
    <p id="alert" class={styles.alert} role="alert" tabIndex={-1}>
      {text}
    </p>
  );

/** Link to continue. Not shown without a URL. */
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
