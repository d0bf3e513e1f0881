enum PageStyle {
  static let sheet = colors + page + tables + pictures + narrow + paper

  private static let colors = """
    :root{--page:#f6f7f9;--card:#fff;--ink:#16202c;--soft:#52606f;--line:#dde3ea;
    --copied:#8093a8;--changed:#2f6fed;--made:#7c4dff;--added:#0d9f6e;--removed:#d92d3a;
    --rejected:#c2410c;--left-out:#b7791f;--paired:#0e7490;--good:#0a7a53;--fair:#9a5b00;--bad:#c01f2e;
    --memory:#2f6fed;--rate:#0d9f6e;--written:#7c4dff;--read:#8093a8;--limit:#d92d3a}
    @media screen and (prefers-color-scheme:dark){:root{--page:#0e141b;--card:#161e27;--ink:#e8edf3;--soft:#a3b0bf;
    --line:#2b3644;--copied:#7f92a8;--changed:#5b93ff;--made:#a383ff;--added:#2fc490;
    --removed:#ff6b74;--rejected:#ff9a5c;--left-out:#e3b04b;--paired:#4cc3dd;--good:#43cf9b;--fair:#e9b04f;--bad:#ff7f87;
    --memory:#5b93ff;--rate:#2fc490;--written:#a383ff;--read:#8fa2b8;--limit:#ff6b74}}

    """

  private static let page = """
    *{box-sizing:border-box}
    body{margin:0;background:var(--page);color:var(--ink);
    font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
    main{max-width:1160px;margin:0 auto;padding:32px 20px 48px}
    h1{font-size:30px;line-height:1.2;margin:0 0 10px;letter-spacing:-.01em;overflow-wrap:anywhere}
    h2{font-size:20px;line-height:1.3;margin:0 0 8px}h3{font-size:16px;margin:12px 0 4px}
    p{margin:0 0 12px;max-width:100ch;overflow-wrap:anywhere}
    .arrow{color:var(--soft);font-weight:400}
    .status{color:var(--soft);margin-bottom:22px;overflow-wrap:anywhere}
    .state{display:inline-block;padding:1px 12px;border-radius:99px;border:1.5px solid currentColor;
    margin-right:6px;color:var(--soft)}
    .good,.state.good{color:var(--good)}.fair,.state.fair{color:var(--fair)}
    .bad,.state.bad{color:var(--bad)}.calm{color:var(--good);font-weight:600}
    .reason{white-space:pre-wrap;overflow-wrap:anywhere;border-left:3px solid var(--bad);padding-left:12px}
    section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:20px 20px 18px;
    margin-top:20px}
    .warnings{border-color:var(--fair)}
    .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:0}
    .figure{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:12px 16px;
    color:var(--ink)}
    .figure dt{color:var(--soft);font-size:14px}
    .figure dd{margin:0;font-size:25px;line-height:1.25;font-weight:650;font-variant-numeric:tabular-nums;
    overflow-wrap:anywhere}
    .figure.good dd{color:var(--good)}.figure.bad dd{color:var(--bad)}.figure.fair dd{color:var(--fair)}
    .figure dd.note{font-size:13px;font-weight:400;color:var(--soft)}
    ul,ol{margin:0 0 12px;padding-left:22px}
    .interruptions li{color:var(--soft)}
    .interruptions li::marker{color:var(--bad);font-weight:700}
    dl:not([class]){display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:0 0 14px}
    dl:not([class]) dt{color:var(--soft)}
    dl:not([class]) dd{margin:0;overflow-wrap:anywhere;font-family:ui-monospace,"DejaVu Sans Mono",monospace;
    font-size:14px}
    footer{color:var(--soft);font-size:14px;margin-top:20px}
    summary{cursor:pointer;color:var(--soft);padding:4px 0;font-size:15px}
    summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--changed);outline-offset:2px}

    """

  private static let tables = """
    .scroll{overflow-x:auto}
    table{border-collapse:collapse;width:100%;font-size:14.5px;margin:6px 0 10px}
    caption{text-align:left;color:var(--soft);padding-bottom:4px;font-size:14px}
    th,td{padding:5px 14px 5px 0;text-align:left;vertical-align:top;border-top:1px solid var(--line)}
    thead th{border-top:0;color:var(--soft);font-weight:600;white-space:nowrap}
    tbody th{font-weight:600}
    .n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
    .w{overflow-wrap:anywhere;min-width:8em}

    """

  private static let pictures = """
    figure{margin:0;overflow-x:auto}
    svg{display:block;max-width:100%;height:auto;
    font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
    svg text{font-size:13px;fill:var(--ink)}
    .legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 18px;padding:0;color:var(--soft);
    font-size:14px}
    .swatch{display:inline-block;width:22px;height:11px;border-radius:3px;margin-right:7px}
    .copied{--band:var(--copied)}.changed{--band:var(--changed)}.made{--band:var(--made)}
    .added{--band:var(--added)}.removed{--band:var(--removed)}.rejected{--band:var(--rejected)}
    .left-out{--band:var(--left-out)}.paired{--band:var(--paired)}
    .swatch{background:var(--band)}
    svg .tick{fill:var(--soft);font-variant-numeric:tabular-nums}
    .label{display:flex;font-size:13px;line-height:19px;white-space:nowrap;color:var(--ink)}
    .label.end{justify-content:flex-end}.label b{font-weight:600}.label .count{flex:none}
    .label b,.change{overflow:hidden;text-overflow:ellipsis}
    .change{flex:1 100 0;font-size:11.5px;padding-left:8px}
    .band{fill:var(--band);fill-opacity:.36}
    .band.empty{fill-opacity:.22}
    g:hover>.band{fill-opacity:.6}
    .bar{fill:var(--band);background:var(--band)}
    .bars{display:grid;grid-template-columns:max-content 1fr;gap:6px 14px;margin:0}
    .bars dt{text-align:right}.bars dd{margin:0;display:flex;align-items:center;gap:8px}
    .bars .bar{display:block;height:20px;min-width:2px;border-radius:4px}
    .grid{stroke:var(--line);fill:none;stroke-width:1}
    svg .tick{font-size:12px}
    svg .panel-title{font-weight:650}
    .span{fill:var(--copied)}.span.rows{fill:var(--changed)}.span.rows.even{fill:var(--made)}
    .span.indexes{fill:var(--added)}.span.validation,.span.losses{fill:var(--left-out)}
    .span{fill-opacity:.42;stroke:var(--card);stroke-width:1}
    svg .span-name{font-size:12px}
    .memory-area{fill:var(--memory);fill-opacity:.18}
    .memory-line{stroke:var(--memory);fill:none;stroke-width:2;stroke-linejoin:round}
    .limit-line{stroke:var(--limit);fill:none;stroke-width:2;stroke-dasharray:7 5}
    .peak{fill:var(--memory)}
    svg .value{font-weight:600;paint-order:stroke;stroke:var(--card);stroke-width:4px}
    .rows-area{fill:var(--rate);fill-opacity:.2}
    .rows-line{stroke:var(--rate);fill:none;stroke-width:1.6}
    .read-area{fill:var(--read);fill-opacity:.16}.read-line{stroke:var(--read);fill:none;stroke-width:1.6}
    .written-area{fill:var(--written);fill-opacity:.16}
    .written-line{stroke:var(--written);fill:none;stroke-width:1.6}
    .interruption{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:3 3;fill:none}
    .mark{fill:var(--bad)}
    svg .mark-name{font-size:11px;font-weight:700;fill:var(--card)}

    """

  private static let narrow = """
    @media screen and (max-width:760px){
    main{padding:20px 10px 32px}h1{font-size:24px}section{padding:16px 12px}
    .figures{grid-template-columns:1fr 1fr;gap:8px}.figure{padding:10px 12px}.figure dd{font-size:20px}
    svg{max-width:none;width:auto;height:auto;min-width:100%}
    .scroll,table,caption,tbody,tr,th{display:block}thead{display:none}
    tr{border-top:1px solid var(--line);padding:6px 0}th,td{border:0;padding:1px 0}
    td{display:grid;grid-template-columns:8.5em minmax(0,1fr);gap:10px;text-align:left}td:empty{display:none}
    td::before{content:attr(data-of);color:var(--soft)}.n{white-space:normal;text-align:left}
    .w{overflow-wrap:anywhere;min-width:0}
    dl:not([class]){grid-template-columns:1fr;gap:0}dl:not([class]) dd{margin-bottom:8px}}

    """

  private static let paper = """
    @page{size:auto;margin:14mm 12mm}
    @media print{:root{--page:#fff;--soft:#3f4a57}
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    body{font-size:10.5pt}h1{font-size:20pt}main{max-width:none;padding:0}
    section{border:0;border-top:1px solid #bbb;border-radius:0;padding:10px 0 0;margin-top:14px}
    h2,caption,summary,.legend{break-after:avoid}p{orphans:3;widows:3}
    .figure,figure,svg,tr,.interruptions{break-inside:avoid}thead{display:table-header-group}
    .figure{border-color:#bbb}.figures{grid-template-columns:repeat(auto-fit,minmax(110px,1fr))}
    .figure dd{font-size:15pt}table{font-size:9pt}th,td{padding-right:10px}
    details::details-content{content-visibility:visible;display:block;height:auto}
    summary{display:none}.scroll{overflow:visible}}

    """
}
