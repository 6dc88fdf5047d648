import { existsSync, readFileSync, statSync } from 'fs';
import { createServer, Server } from 'http';
import { AddressInfo } from 'net';
import { extname, join, normalize } from 'path';

const TYPES: { readonly [ending: string]: string } = {
  '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png', '.json': 'application/json', '.woff2': 'font/woff2',
};

/** A folder by HTTP on loopback, as a host of static files serves it. */
export class ServedFolder {
  public static async start(folder: string): Promise<ServedFolder> {
    const server = createServer((request, response) => {
      const path = normalize(decodeURIComponent(new URL(request.url!, 'http://x').pathname));
      const file = path.endsWith('/') ? join(folder, path, 'index.html') : join(folder, path);
      if (!existsSync(file) || statSync(file).isDirectory()) {
        response.writeHead(404).end();
      } else {
        response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
      }
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return new ServedFolder(server);
  }

  private constructor(private readonly server: Server) {}

  public get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  public stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
