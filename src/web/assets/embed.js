// Shows a pricing table, a checkout, a payment link or the customer portal inside a page of the merchant:
//   Quittance.open({ url, theme, locale, container, checkout, onSuccess, onClose })
// `container` is an element or a selector to show the page in. Without it, the page opens in a dialog. Returns `{ close }`. Elements with a
// `data-quittance-url` attribute show the page at that URL automatically. Only works on origins that the organization has allowed.
(() => {
  const texts = { en: ['Payment', 'Close', 'Plans'], es: ['Pago', 'Cerrar', 'Planes'] };

  /** @param {any} options */
  const open = ({ url, theme, locale, container, checkout, onSuccess, onClose }) => {
    const address = new URL(url, document.baseURI);
    for (const [name, value] of Object.entries({ theme, locale, checkout, embedded: true }))
      if (value) address.searchParams.set(name, value);
    const language = String(locale ?? document.documentElement.lang).slice(0, 2);
    const [payment = '', label = '', plans = ''] = language === 'es' ? texts.es : texts.en;
    const title = address.pathname.includes('/pricing/') ? plans : payment;

    const frame = document.createElement('iframe');
    Object.assign(frame, { src: address.href, title, allow: 'payment' });
    frame.style.cssText =
      'display:block;border:0;width:100%;height:100%;min-height:36rem;color-scheme:normal';

    const place = typeof container === 'string' ? document.querySelector(container) : container;
    const dialog = place ? null : document.createElement('dialog');
    let isOpen = true;

    const close = () => {
      if (!isOpen) return;
      isOpen = false;
      removeEventListener('message', hear);
      dialog?.close();
      (dialog ?? frame).remove();
      onClose?.();
    };

    /** @param {any} data */
    const succeed = (data) => {
      place?.dispatchEvent(new CustomEvent('quittance:success', { bubbles: true }));
      onSuccess?.(data);
    };

    /** @param {MessageEvent} event */
    const hear = ({ origin, source, data }) => {
      if (origin !== address.origin || source !== frame.contentWindow || data?.source !== 'quittance') return;
      if (data.type === 'success') succeed(data);
      if (data.type === 'close') close();
      if (data.type === 'resize' && place) frame.style.height = `${Number(data.height)}px`;
      if (data.type === 'checkout' && new URL(data.url).origin === address.origin)
        open({ url: data.url, theme, locale, onSuccess: succeed });
    };
    addEventListener('message', hear);

    if (dialog) {
      const button = document.createElement('button');
      Object.assign(button, { type: 'button', textContent: '\u00d7', onclick: close });
      button.setAttribute('aria-label', label);
      button.style.cssText =
        'position:absolute;inset-block-start:.5rem;inset-inline-end:.5rem;width:2.75rem;height:2.75rem;border:0;border-radius:50%;background:Canvas;color:CanvasText;font-size:1.5rem;cursor:pointer';
      dialog.setAttribute('aria-label', title);
      dialog.style.cssText =
        'padding:0;border:0;border-radius:.75rem;width:min(30rem,100vw);height:min(48rem,100dvh);max-width:none;max-height:none;overflow:hidden';
      dialog.append(frame, button);
      dialog.addEventListener('close', close);
      document.body.append(dialog);
      dialog.showModal();
    } else place?.append(frame);
    return { close };
  };

  const mount = () => {
    for (const place of document.querySelectorAll('[data-quittance-url]:empty')) {
      if (!(place instanceof HTMLElement)) continue;
      const { quittanceUrl: url, quittanceTheme: theme, quittanceLocale: locale } = place.dataset;
      open({ url, theme, locale, checkout: place.dataset['quittanceCheckout'], container: place });
    }
  };

  Object.assign(window, { Quittance: { open } });
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', mount);
  else mount();
})();
