// Texts of the page of read models and policies.
import { grouped } from '../../i18n/number'
export const words = {
  title: '데이터 처리',
  lead: '화면에 보이는 데이터는 장부의 기록에서 만들어집니다. 어디까지 반영되었는지 보고, 멈춘 처리는 다시 시작하고, 잘못된 데이터는 다시 만듭니다.',
  newest: '최신 기록',
  kinds: { readModel: '조회 데이터', policy: '자동 처리', search: '검색' },
  states: { live: '정상', failing: '재시도 중', stopped: '멈춤', rebuilding: '다시 만드는 중' },
  position: '반영한 기록',
  version: (n: number) => `버전 ${n}`,
  lag: '밀린 기록',
  lagOf: (kind: 'readModel' | 'policy' | 'search', n: number, seconds: number) => {
    if (n === 0) return '없음'
    const waiting = kind === 'search' ? `문서 ${grouped(n)}개` : `${grouped(n)}건`
    return seconds >= 1 ? `${waiting}, ${grouped(Math.round(seconds))}초` : waiting
  },
  /** Reasons of a stop, and their consequences. */
  stopped: {
    readModel:
      '반영할 수 없는 기록을 만나 멈췄습니다. 틀린 금액이나 수량을 보여 주지 않으려고 그 뒤의 기록도 기다립니다. 장부와 판매는 그대로이고, 이 화면의 데이터만 멈춘 시점의 내용입니다.',
    policy: '처리할 수 없는 기록을 만나 멈췄습니다. 그 뒤의 자동 처리도 기다립니다.',
    search: '검색 엔진이 응답하지 않습니다. 검색 밖의 화면은 정상입니다.',
  },
  failing: '기록을 반영하지 못해 다시 시도하고 있습니다. 원인이 잠깐이면 자동으로 따라잡습니다.',
  advice: '원인을 해결한 뒤 다시 시작해 주세요.',
  since: '부터',
  parked: (streams: number, events: number) =>
    `흐름 ${grouped(streams)}개를 보류 중입니다. 기록 ${grouped(events)}건이 기다리고, 나머지는 정상입니다.`,
  parkedList: '보류된 흐름',
  parkedOf: (type: string, position: number, held: number) =>
    `${grouped(position)}번째 기록(${type})에서 멈춤, 기다리는 기록 ${grouped(held)}건`,
  more: (n: number) => `외 ${n}개`,
  phases: {
    asked: '시작을 기다리는 중',
    reading: '기록을 읽는 중',
    keys: '색인을 만드는 중',
    'catching-up': '그동안의 기록을 따라잡는 중',
    switching: '바꾸는 중',
    done: '완료',
    failed: '실패',
    'cut-off': '중단됨',
  } as Record<string, string>,
  acts: { rebuild: '다시 만들기', back: '되돌리기' } as Record<string, string>,
  progress: (done: number, total: number) => `${grouped(done)} / ${grouped(total)}`,
  rate: (n: number) => `초당 ${grouped(n)}건`,
  left: (seconds: number) => (seconds < 60 ? `${seconds}초 남음` : `약 ${Math.ceil(seconds / 60)}분 남음`),
  lost: '작업이 중간에 끊겼습니다. 보이는 데이터는 그대로이고, 다시 만들면 남은 데이터는 정리됩니다.',
  rebuild: '다시 만들기',
  rebuildAsk: (name: string) => `${name} 데이터를 기록에서 다시 만들까요?`,
  rebuildText: '별도로 다시 만든 뒤 교체합니다. 그동안 판매와 조회는 그대로이고, 알림이나 메일은 나가지 않습니다.',
  back: '이전으로 되돌리기',
  backAsk: (name: string) => `${name} 데이터를 다시 만들기 전으로 되돌릴까요?`,
  backText: '그동안의 기록을 따라잡은 뒤 바꿉니다.',
  resume: '다시 시작',
  resumed: (caughtUp: number, left: number) =>
    left > 0
      ? `흐름 ${left}개는 아직 반영할 수 없습니다.`
      : caughtUp > 0
        ? '보류된 흐름을 모두 따라잡았습니다.'
        : '다시 시작했습니다.',
  asked: '곧 시작합니다.',
  writer: (application: string, process: number, seconds: number) =>
    `끝나지 않은 쓰기 작업(${application || '이름 없음'}, 프로세스 ${process})이 ${Math.round(seconds)}초째 모두를 기다리게 합니다.`,
}
