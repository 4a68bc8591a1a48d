import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { UniversalSentenceEncoderEngine } from './universal-sentence-encoder/universal-sentence-encoder.engine.js';

/** The embedded engines; each is loaded when it is first used. */
@Injectable()
export class Engines implements OnApplicationShutdown {
  readonly universalSentenceEncoder = new UniversalSentenceEncoderEngine();

  /** Whether none of them has failed. */
  areHealthy(): boolean {
    return this.universalSentenceEncoder.state() !== 'failed';
  }

  onApplicationShutdown(): Promise<void> {
    return this.universalSentenceEncoder.close();
  }
}

@Module({ providers: [Engines], exports: [Engines] })
export class EnginesModule {}
