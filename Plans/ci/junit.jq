# Turns what `bulkmigrate verify --json` prints into a JUnit report: one test for the differences, one for each
# expectation of the mapping file.
def text: tostring | gsub("[\u0000-\u0008\u000b\u000c\u000e-\u001f]"; "\ufffd") | @html;
def failure: "<failure>\(text)</failure>";
def test($group; $name; $result):
  "  <testcase classname=\"\($group | text)\" name=\"\($name | text)\">\($result)</testcase>";

"<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
"<testsuite name=\"\(.destination | text)\">",
test("verify \(.level)"; "nothing differs";
  if .counts == {} then "" else
    [.differences[] | ([.kind, .entity, .key, .property | values] | join(" "))
      + ": expected \(.expected // "nothing"), found \(.found // "nothing")"]
    | join("\n") | failure
  end),
(.expectations // [] | .[]
  | test(.entity; .name; if .isSkipped then "<skipped/>" elif .isMet then "" else .reason | failure end)),
"</testsuite>"
