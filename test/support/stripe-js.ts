// Fake implementation of the parts of Stripe.js that the pages use. Runs in the browser without dependencies,
// and rejects the same calls as Stripe.js.

type Options = {
  readonly mode?: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly paymentMethodTypes?: readonly string[];
  readonly paymentMethodCreation?: string;
};
type Message = { readonly type: string; readonly [field: string]: unknown };
type Handler = (event: unknown) => void;

/** Behavior of the fake Stripe.js in a browser. */
export type StripeBrowser = {
  /** Wallets that contain a card. */
  readonly wallets: readonly string[];
  /** True if the card fields should fail to load, as they do with an invalid key. */
  readonly isBroken: boolean;
};

/** Defines the global variable `Stripe`, as Stripe.js does. */
export function stripeScript({ wallets, isBroken }: StripeBrowser): void {
  const api = 'https://api.stripe.com/v1';
  const mistake = (text: string): never => {
    throw Object.assign(new Error(text), { name: 'IntegrationError' });
  };
  const check = ({ mode, amount, currency, paymentMethodTypes }: Options): void => {
    if (mode !== 'payment' && mode !== 'setup') mistake(`Invalid mode: ${mode}`);
    if (mode === 'payment' && !(Number.isInteger(amount) && Number(amount) > 0))
      mistake('Invalid amount: it must be greater than 0.');
    if (!/^[a-z]{3}$/.test(currency ?? '')) mistake(`Invalid currency: ${currency}`);
    if (!Array.isArray(paymentMethodTypes)) mistake('The methods depend on the settings of the account.');
  };

  /** Creates a Stripe frame and handles its messages. */
  function frameOf(kind: string, title: string) {
    const element = document.createElement('iframe');
    const handlers = new Map<string, (message: Message) => void>();
    // Uses two hosts for the frames, as Stripe does.
    const host = kind === 'payment' || kind === 'cvc' ? 'js.stripe.com' : 'b.js.stripe.com';
    element.src = `https://${host}/v3/elements-inner-${kind}.html`;
    element.title = title;
    element.style.cssText = 'width:100%;height:200px;border:0;color-scheme:normal';
    const hear = ({ source, data }: MessageEvent): void => {
      if (source === element.contentWindow) handlers.get(data.type)?.(data);
    };
    addEventListener('message', hear);
    const on = (type: string, handle: (message: Message) => void): void => void handlers.set(type, handle);
    const send = (message: Message): void => element.contentWindow?.postMessage(message, '*');
    return {
      element,
      on,
      send,
      ask: (message: Message) =>
        new Promise<Message>((resolve) => {
          handlers.set('answer', resolve);
          send(message);
        }),
      end: () => {
        removeEventListener('message', hear);
        element.remove();
      },
    };
  }
  type Frame = ReturnType<typeof frameOf>;

  /** Creates an element in a frame, and sends the options to the frame. */
  function elementOf(kind: string, shown: () => object, isThere: boolean) {
    const frame = frameOf(kind, kind === 'payment' ? 'Secure payment input frame' : 'Secure wallet frame');
    const handlers = new Map<string, Handler>();
    const tell = (): void => frame.send({ type: 'show', options: shown() });
    frame.on('loaded', () => {
      tell();
      const available = Object.fromEntries(wallets.map((name) => [name, true]));
      if (isBroken) return handlers.get('loaderror')?.({ error: { message: 'Invalid API Key' } });
      handlers.get('ready')?.({ availablePaymentMethods: wallets.length === 0 ? undefined : available });
    });
    return {
      frame,
      tell,
      emit: (name: string, event: unknown) => handlers.get(name)?.(event),
      element: {
        mount: (place: HTMLElement) => {
          if (!place.isConnected) mistake('The place is not on the page.');
          if (isThere) place.append(frame.element);
          else queueMicrotask(() => handlers.get('ready')?.({ availablePaymentMethods: undefined }));
        },
        destroy: () => frame.end(),
        on: (name: string, handle: Handler) => void handlers.set(name, handle),
      },
    };
  }

  /** Opens the wallet's sheet on a click, and lets the payer confirm the payment. */
  function connectWallet(
    { frame, emit }: ReturnType<typeof elementOf>,
    begin: (wallet: Frame | null) => void,
  ): void {
    frame.on('click', () => {
      let isAnswered = false;
      const answer = (type: string) => () => {
        if (isAnswered) mistake('The click was answered before.');
        isAnswered = true;
        frame.send({ type });
      };
      emit('click', { expressPaymentType: wallets[0], resolve: answer('open'), reject: answer('close') });
      // Waits up to one second for a response, as Stripe.js does.
      setTimeout(() => {
        if (!isAnswered) mistake('The click was not answered.');
      }, 1_000);
    });
    frame.on('authorize', () => {
      begin(frame);
      emit('confirm', {
        expressPaymentType: wallets[0],
        paymentFailed: () => {
          begin(null);
          frame.send({ type: 'failed' });
        },
      });
    });
  }

  function elementsOf(key: string, locale: string | undefined, first: Options & { appearance?: unknown }) {
    let options = first;
    check(options);
    const made: ReturnType<typeof elementOf>[] = [];
    const now: { isSubmitted: boolean; wallet: Frame | null; fields: Frame | null } = {
      isSubmitted: false,
      wallet: null,
      fields: null,
    };
    const collect = async (): Promise<object> => {
      if (options.paymentMethodCreation !== 'manual') mistake('paymentMethodCreation must be manual.');
      if (!now.isSubmitted) mistake('elements.submit() must be called before createPaymentMethod().');
      now.isSubmitted = false;
      const { wallet, fields } = now;
      now.wallet = null;
      const answer = await (wallet ?? fields)?.ask({ type: 'create', key });
      wallet?.send({ type: 'close' });
      return answer ?? {};
    };
    return {
      collect,
      create: (kind: string, parts: { paymentMethods?: Record<string, string> } = {}) => {
        const isThere =
          kind === 'payment' || wallets.some((name) => parts.paymentMethods?.[name] !== 'never');
        const element = elementOf(kind, () => ({ ...options, locale, parts }), isThere);
        made.push(element);
        if (kind === 'payment') now.fields = element.frame;
        else
          connectWallet(element, (wallet) => {
            now.wallet = wallet;
          });
        return element.element;
      },
      update: (change: Options) => {
        options = { ...options, ...change };
        check(options);
        for (const { tell } of made) tell();
      },
      submit: async () => {
        const answer = now.wallet === null ? await now.fields?.ask({ type: 'submit' }) : { type: 'answer' };
        now.isSubmitted = answer?.['error'] === undefined;
        return now.isSubmitted ? {} : { error: answer?.['error'] };
      },
    };
  }

  /** Creates the security code field, which isn't part of an Elements group. */
  function codeField(locale: string | undefined) {
    const frame = frameOf('cvc', 'Secure CVC input frame');
    frame.element.style.height = '24px';
    return {
      frame,
      mount: (place: HTMLElement) => {
        if (!place.isConnected) mistake('The place is not on the page.');
        frame.on('loaded', () => frame.send({ type: 'show', options: { locale } }));
        place.append(frame.element);
      },
      update: () => undefined,
      focus: () => frame.element.focus(),
      destroy: () => frame.end(),
    };
  }

  /** Shows the bank's authentication page in a frame, and reports the result to the fake Stripe API. */
  async function authenticate(key: string, clientSecret: string): Promise<object> {
    const frame = frameOf('bank', 'Bank');
    frame.element.src = 'https://hooks.stripe.com/3d_secure_2/hosted';
    frame.element.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;border:0;background:#fff';
    const answered = new Promise<Message>((resolve) => frame.on('answer', resolve));
    document.body.append(frame.element);
    const { succeed } = await answered;
    frame.end();
    const body = new URLSearchParams({ key, client_secret: clientSecret, succeed: String(succeed) });
    return (await fetch(`${api}/3ds2/authenticate`, { method: 'POST', body })).json();
  }

  const make = (key: string, { locale }: { locale?: string } = {}) => {
    if (!/^pk_(?:test|live)_/.test(key)) mistake(`Invalid publishable key: ${key}`);
    type Elements = ReturnType<typeof elementsOf>;
    return {
      elements: (options: Options) =>
        options.mode === undefined
          ? {
              create: (kind: string) =>
                kind === 'cardCvc' ? codeField(locale) : mistake(`${kind} needs a mode.`),
            }
          : elementsOf(key, locale, options),
      createToken: async (type: string, field: ReturnType<typeof codeField>) =>
        type === 'cvc_update' ? field.frame.ask({ type: 'create', key }) : mistake(`Invalid type: ${type}`),
      createPaymentMethod: async ({ elements }: { elements: Elements }) => elements.collect(),
      handleNextAction: ({ clientSecret }: { clientSecret: string }) => authenticate(key, clientSecret),
    };
  };
  Object.assign(window, { Stripe: make });
}

/** Script of the frame with the card fields. */
export function fieldsScript(): void {
  const field = (name: string): string => (document.getElementById(name) as HTMLInputElement).value.trim();
  const answer = (fields: object): void => parent.postMessage({ type: 'answer', ...fields }, '*');
  addEventListener('message', async ({ data }) => {
    if (data.type === 'show') document.body.dataset['options'] = JSON.stringify(data.options);
    if (data.type === 'submit')
      answer(field('number') === '' ? { error: { message: 'Your card number is incomplete.' } } : {});
    if (data.type !== 'create') return;
    const body = new URLSearchParams({ key: data.key, type: 'card', 'card[number]': field('number') });
    const response = await fetch('https://api.stripe.com/v1/payment_methods', { method: 'POST', body });
    const made = await response.json();
    answer(response.ok ? { paymentMethod: made } : { error: made.error });
  });
  parent.postMessage({ type: 'loaded' }, '*');
}

/** Script of the frame for the security code of a saved card. */
export function codeScript(): void {
  addEventListener('message', async ({ data }) => {
    if (data.type === 'show') document.body.dataset['options'] = JSON.stringify(data.options);
    if (data.type !== 'create') return;
    const cvc = (document.getElementById('cvc') as HTMLInputElement).value;
    const body = new URLSearchParams({ key: data.key, 'cvc_update[cvc]': cvc });
    const response = await fetch('https://api.stripe.com/v1/tokens', { method: 'POST', body });
    const made = await response.json();
    parent.postMessage(
      { type: 'answer', ...(response.ok ? { token: { id: made.id } } : { error: made.error }) },
      '*',
    );
  });
  parent.postMessage({ type: 'loaded' }, '*');
}

/** Script of the frame with a wallet's button and sheet. */
export function walletScript(): void {
  const place = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
  const authorize = place('authorize') as HTMLButtonElement;
  const open = (isOpen: boolean): void => {
    place('sheet').hidden = !isOpen;
    authorize.disabled = !isOpen;
  };
  place('wallet').onclick = () => parent.postMessage({ type: 'click' }, '*');
  authorize.onclick = () => {
    authorize.disabled = true;
    parent.postMessage({ type: 'authorize' }, '*');
  };
  addEventListener('message', async ({ data }) => {
    if (data.type === 'show') {
      const { mode, amount, currency } = data.options;
      document.body.dataset['options'] = JSON.stringify(data.options);
      place('agreed').textContent = mode === 'setup' ? 'to be stored' : `${amount} ${currency}`;
    }
    if (data.type === 'open' || data.type === 'close') open(data.type === 'open');
    if (data.type === 'failed') place('outcome').textContent = 'The wallet was not charged.';
    if (data.type !== 'create') return;
    const body = new URLSearchParams({ key: data.key, type: 'card', 'card[wallet][type]': 'google_pay' });
    const made = await (
      await fetch('https://api.stripe.com/v1/payment_methods', { method: 'POST', body })
    ).json();
    parent.postMessage({ type: 'answer', paymentMethod: made }, '*');
  });
  parent.postMessage({ type: 'loaded' }, '*');
}
