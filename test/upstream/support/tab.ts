import { Browser } from './browser';
import { eventually } from '../../data-path/support/eventually';

const LOAD_MS = 60_000;

export interface TabOptions {
  readonly width?: number;
  readonly height?: number;
  /** Whether scripts of the page do not run. */
  readonly withoutScript?: boolean;
}

/** A page of a browser, and what it asks for and complains about. */
export class Tab {
  public static async open(browser: Browser, url: string, { width = 1200, height = 900, withoutScript }: TabOptions = {}): Promise<Tab> {
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', width, height });
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    const tab = new Tab(browser, targetId, sessionId);
    await Promise.all(['Page', 'Runtime', 'Log', 'Network'].map(domain => tab.send(`${domain}.enable`)));
    await tab.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await tab.send('Emulation.setScrollbarsHidden', { hidden: true });
    await tab.send('Emulation.setScriptExecutionDisabled', { value: withoutScript === true });
    await tab.send('Page.navigate', { url });
    await eventually(() => tab.loaded, LOAD_MS);
    return tab;
  }

  /** Addresses that it asked for, also where it was not let. */
  public readonly requests: string[] = [];
  /** Of its console: errors, warnings, what a policy refused, dialogs. */
  public readonly complaints: string[] = [];
  private loaded = false;
  private readonly deaf: () => void;

  private constructor(private readonly browser: Browser, private readonly targetId: string, private readonly sessionId: string) {
    this.deaf = browser.listen(({ sessionId: of, method, params }) => {
      if (of !== sessionId) return;
      switch (method) {
        case 'Page.loadEventFired': this.loaded = true; break;
        case 'Network.requestWillBeSent': this.requests.push(params.request.url); break;
        case 'Runtime.exceptionThrown': this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text); break;
        case 'Runtime.consoleAPICalled': this.complaints.push(`console.${params.type}`); break;
        case 'Log.entryAdded': this.complaints.push(params.entry.text); break;
        case 'Page.javascriptDialogOpening':
          this.complaints.push(`dialog: ${params.message}`);
          void this.send('Page.handleJavaScriptDialog', { accept: false });
      }
    });
  }

  /** What an expression gives in the page. */
  public async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  /** Clicks into the middle of the first element, as a hand would. */
  public async click(selector: string): Promise<void> {
    const { x, y } = await this.evaluate<{ x: number; y: number }>(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.scrollIntoView({ block: 'center' });
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    })()`);
    for (const type of ['mousePressed', 'mouseReleased']) {
      await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
    }
  }

  /** Types in the place of what a field holds. */
  public async type(selector: string, text: string): Promise<void> {
    await this.evaluate(`(() => { const field = document.querySelector(${JSON.stringify(selector)}); field.focus(); field.select(); })()`);
    if (text === '') {
      for (const type of ['keyDown', 'keyUp']) {
        await this.send('Input.dispatchKeyEvent', { type, key: 'Backspace', code: 'Backspace', windowsVirtualKeyCode: 8 });
      }
    } else {
      await this.send('Input.insertText', { text });
    }
  }

  /** As PDF. */
  public async print(): Promise<Buffer> {
    return Buffer.from((await this.send('Page.printToPDF', { printBackground: true })).data, 'base64');
  }

  /** What is seen, as PNG. */
  public async picture(): Promise<Buffer> {
    return Buffer.from((await this.send('Page.captureScreenshot', { format: 'png' })).data, 'base64');
  }

  public async close(): Promise<void> {
    this.deaf();
    await this.browser.send('Target.closeTarget', { targetId: this.targetId });
  }

  private send(method: string, params: object = {}): Promise<any> {
    return this.browser.send(method, params, this.sessionId);
  }
}
